package telemetry_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
)

// TestWithdraw holds that a run that failed leaves the files of the one before, and where
// there were none its own only if they say something.
func TestWithdraw(t *testing.T) {
	o := options(t, time.Second)
	tick := numbered(1)
	there := func(want bool, when string) {
		t.Helper()
		for _, path := range []string{o.Page, o.Ring} {
			if _, err := os.Lstat(path); (err == nil) != want {
				t.Errorf("%s: %s: %v, want it there: %v", when, path, err, want)
			}
		}
	}
	if err := begin(t, o).Withdraw(); err != nil {
		t.Fatal(err)
	}
	there(false, "no tick, nothing before")
	first := begin(t, o)
	first.Tick(&tick, loop.Counts{Ticks: 1})
	if err := first.Withdraw(); err != nil {
		t.Fatal(err)
	}
	there(true, "a tick, nothing before")
	for _, ticks := range []uint64{0, 7} {
		next := begin(t, o)
		if ticks > 0 {
			next.Tick(&tick, loop.Counts{Ticks: ticks})
		}
		if err := next.Withdraw(); err != nil {
			t.Fatal(err)
		}
		there(true, "an older run's")
		if n, err := page(t, o.Page).Newest(); err != nil || n.Ticks != 1 {
			t.Errorf("%d ticks, %v; want the older run's page", n.Ticks, err)
		}
	}
}

// TestLost: files that somebody removed, replaced or moved are missed by their names, and
// what is written into them goes on.
func TestLost(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"removed":  os.Remove,
		"moved":    func(path string) error { return os.Rename(path, path+".away") },
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o640)) },
	} {
		o := options(t, time.Second)
		w := begin(t, o)
		for _, path := range []string{o.Ring, o.Page} {
			before := w.Lost()
			if before != nil && strings.Contains(before.Error(), path) {
				t.Errorf("%s: nothing happened to it: %v", name, before)
			}
			if err := lose(path); err != nil {
				t.Fatal(err)
			}
			if err := w.Lost(); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %s is not missed: %v", name, path, err)
			}
		}
		tick := numbered(1)
		w.Tick(&tick, loop.Counts{Ticks: 1})
		if err := errors.Join(w.Err(), w.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
