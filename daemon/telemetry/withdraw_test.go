package telemetry_test

import (
	"os"
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
