package telemetry_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/testbench/tier"
)

// written returns the bytes of the two files of a short run.
func written(t testing.TB) (page, ring []byte) {
	t.Helper()
	o := options(t, 200*time.Millisecond)
	w := begin(t, o)
	for n := range 70 {
		tick := numbered(n)
		w.Tick(&tick, loop.Counts{Ticks: uint64(n + 1)})
	}
	c := telemetry.Nothing()
	w.Car(&c)
	if err := errors.Join(w.Setup([]byte("{}")), w.Freeze(7, time.Second, []byte("a brain")), w.Close()); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(o.Page)
	if err != nil {
		t.Fatal(err)
	}
	if ring, err = os.ReadFile(o.Ring); err != nil {
		t.Fatal(err)
	}
	return page, ring
}

// readAll reads everything that a file of either kind gives away, and returns what
// was wrong.
func readAll(path string) error {
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	p, err := telemetry.OpenPage(path)
	note(err)
	if err == nil {
		n, err := p.Newest()
		note(err)
		_, err = p.Car()
		note(err)
		_, err = p.Histograms()
		note(err)
		if _, err := p.Field(); !errors.Is(err, telemetry.ErrEmpty) {
			note(err)
		}
		if _, err := p.Ground(); !errors.Is(err, telemetry.ErrEmpty) {
			note(err)
		}
		n.Tick.State()
		n.Tick.Length(telemetry.Step)
		p.Last(&n.Tick)
		p.Run()
		note(p.Close())
	}
	r, err := telemetry.OpenRing(path)
	note(err)
	if err == nil {
		f, err := r.Flight(0)
		note(err)
		if err == nil {
			for range f.Ticks() { //nolint:revive // what counts is that it ends
			}
			note(f.Err())
			if f.Missed() > 0 {
				note(errors.New("records are missing"))
			}
		}
		if _, err := r.Setup(); !errors.Is(err, telemetry.ErrEmpty) {
			note(err)
		}
		_, err = r.Stills()
		note(err)
		note(r.Close())
	}
	return errors.Join(errs...)
}

// TestHostile holds that no file makes a reader do anything but say what is wrong.
func TestHostile(t *testing.T) {
	good, ring := written(t)
	folder := t.TempDir()
	name := filepath.Join(folder, "f")
	for _, c := range []struct {
		why  string
		make func() error
		want error
	}{
		{"nothing there", func() error { return nil }, os.ErrNotExist},
		{"empty", func() error { return os.WriteFile(name, nil, 0o600) }, telemetry.ErrForeign},
		{"text", func() error { return os.WriteFile(name, make([]byte, 1<<16), 0o600) }, telemetry.ErrForeign},
		{"another version", func() error { return os.WriteFile(name, set(good, 8, 99), 0o600) }, telemetry.ErrVersion},
		{"a header of other bytes", func() error { return os.WriteFile(name, set(good, 40, 1<<30), 0o600) }, telemetry.ErrDamaged},
		{"cut short", func() error { return os.WriteFile(name, good[:len(good)/2], 0o600) }, telemetry.ErrDamaged},
		{"a ring for a page", func() error { return os.WriteFile(name, ring, 0o600) }, telemetry.ErrForeign},
		{"a folder", func() error { return os.Mkdir(name, 0o700) }, nil},
		{"a pipe nobody writes", func() error { return unix.Mkfifo(name, 0o600) }, nil},
	} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		if err := c.make(); err != nil {
			t.Fatal(err)
		}
		p, err := telemetry.OpenPage(name)
		if err == nil {
			p.Close()
		}
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want an error that wraps %v", c.why, err, c.want)
		}
	}
}

// TestOlder: a page or ring of the layout before is refused in words that say what to do.
func TestOlder(t *testing.T) {
	good, ring := written(t)
	name := filepath.Join(t.TempDir(), "f")
	for _, old := range [][]byte{set(good, 8, telemetry.Version-1), set(ring, 8, telemetry.Version-1)} {
		if err := os.WriteFile(name, old, 0o600); err != nil {
			t.Fatal(err)
		}
		_, page := telemetry.OpenPage(name)
		_, flight := telemetry.OpenRing(name)
		err := page
		if errors.Is(page, telemetry.ErrForeign) {
			err = flight
		}
		want := fmt.Sprintf("read it with the program that wrote it: version %d, this program knows %d", telemetry.Version-1, telemetry.Version)
		if !errors.Is(err, telemetry.ErrVersion) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// set returns the bytes with a number at a place.
func set(text []byte, at int, v uint32) []byte {
	text = append([]byte(nil), text...)
	binary.LittleEndian.PutUint32(text[at:], v)
	return text
}

// TestTorn holds that a page and a ring with a torn newest element give the one
// before, as a writer leaves them that is killed at a store.
func TestTorn(t *testing.T) {
	o := options(t, 200*time.Millisecond)
	w := begin(t, o)
	defer w.Close()
	for n := range 55 {
		tick := numbered(n)
		w.Tick(&tick, loop.Counts{Ticks: uint64(n + 1)})
	}
	spoil(t, o.Page, 55)
	spoil(t, o.Ring, 55)
	n, err := page(t, o.Page).Newest()
	if err != nil || n.Tick != numbered(53) || n.Ticks != 54 {
		t.Errorf("the page's newest tick is %d, %v; want 53", n.Tick.Number, err)
	}
	r, err := telemetry.OpenRing(o.Ring)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := r.Flight(0)
	if err != nil {
		t.Fatal(err)
	}
	last := uint64(0)
	for tick := range f.Ticks() {
		last = tick.Number
	}
	if last != 53 || f.Missed() != 1 {
		t.Errorf("the ring ends with tick %d, %d missed; want 53 and 1", last, f.Missed())
	}
}

// spoil changes a byte in the entry of an element, wherever the entry lies.
func spoil(t *testing.T, path string, index uint64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at := 4096; at+8 <= len(text); at += 8 {
		size := binary.LittleEndian.Uint32(text[at+12:])
		if binary.LittleEndian.Uint64(text[at:]) == index && size > 500 && size < 1000 {
			if _, err := f.WriteAt([]byte{text[at+100] + 1}, int64(at+100)); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("no such entry")
}

// TestNoise changes random bytes of good files, sums made right again where it takes a
// thief to do so, and only asks that reading ends without a panic.
func TestNoise(t *testing.T) {
	tier.Alone(t, "one goroutine reads")
	good, ring := written(t)
	name := filepath.Join(t.TempDir(), "f")
	dice := rand.New(rand.NewSource(1))
	for range tier.Count(t, "changed files", 60, 300, 300) {
		text := append([]byte(nil), [][]byte{good, ring}[dice.Intn(2)]...)
		for range 1 + dice.Intn(8) {
			text[dice.Intn(1+dice.Intn(len(text)))] = byte(dice.Int())
		}
		telemetry.Reseal(text)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = readAll(name)
	}
}

// FuzzReader reads files that fuzzing invents, their header's sum made right. A page's
// histograms are left away: a hole of the file stands for them.
func FuzzReader(f *testing.F) {
	page, ring := written(f)
	f.Add(page[:6<<10])
	f.Add(ring[:6<<10])
	name := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, text []byte) {
		telemetry.Reseal(text)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = readAll(name)
		if err := os.Truncate(name, int64(len(page))); err != nil {
			t.Fatal(err)
		}
		_ = readAll(name)
	})
}
