package forensics_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/brain"
	"fieldbrain/daemon/forensics"
	"fieldbrain/daemon/loop"
)

// TestArchive: the newest bundles fit into the quota, the oldest go, and files of
// others stay.
func TestArchive(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "misses")
	const quota = 20 << 10
	a := forensics.NewArchive(folder, quota)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(folder, "notes.json")
	if err := os.WriteFile(foreign, make([]byte, 2*quota), 0o600); err != nil {
		t.Fatal(err)
	}
	begun := time.Date(2026, 11, 22, 22, 0, 0, 0, time.UTC)
	for n := range 40 {
		b := forensics.Bundle{Version: forensics.Version, At: begun.Add(time.Duration(n) * time.Second), Misses: uint64(n)}
		b.Finding = forensics.Finding{Cause: forensics.SlowEngine, Sentence: fmt.Sprint("number ", n)}
		if _, err := a.Put(&b); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := forensics.Newest(folder, 1000)
	if err != nil || len(kept) < 3 || len(kept) > 20 {
		t.Fatalf("%d bundles stayed: %v", len(kept), err)
	}
	total := int64(0)
	for i, k := range kept {
		info, err := os.Stat(k.Path)
		if err != nil || k.Err != nil {
			t.Fatal(err, k.Err)
		}
		total += info.Size()
		if want := uint64(40 - len(kept) + i); k.Bundle.Misses != want {
			t.Errorf("bundle %d is number %d, want the newest in order: %d", i, k.Bundle.Misses, want)
		}
	}
	if total > quota {
		t.Errorf("%d bytes, more than the quota of %d", total, quota)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("somebody else's file: %v", err)
	}
	two, err := forensics.Newest(folder, 2)
	if err != nil || len(two) != 2 || two[1].Bundle.Misses != 39 {
		t.Errorf("the newest two: %+v, %v", two, err)
	}
	if none, err := forensics.Newest(filepath.Join(folder, "none"), 5); err != nil || len(none) != 0 {
		t.Errorf("of no folder %v, %v", none, err)
	}
}

// TestDamaged: a bundle that is damaged, foreign or huge is an error that names it,
// and hides no other.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"miss-1.json": "{", "miss-2.json": `{"version":99}`, "miss-3.json": strings.Repeat(" ", 2<<20), "miss-4.json": `{"version":1,"misses":4}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "miss-0.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	kept, err := forensics.Newest(folder, 10)
	if err != nil || len(kept) != 5 {
		t.Fatalf("%d, %v", len(kept), err)
	}
	for i, k := range kept {
		if bad := i < 4; bad != (k.Err != nil) || bad && !strings.Contains(k.Err.Error(), filepath.Base(k.Path)) {
			t.Errorf("%s: %v", k.Path, k.Err)
		}
	}
}

// TestInspector: a missed tick becomes a finding and a bundle with the ticks around
// it; a second one of the same cause is not written so soon, and is counted.
func TestInspector(t *testing.T) {
	folder := t.TempDir()
	a := forensics.NewArchive(folder, 1<<20)
	w := loop.NewWitness()
	defer w.Close()
	const period = 5 * time.Millisecond
	i := forensics.NewInspector(forensics.Options{Period: period, Witness: w, Archive: a, Program: "v", Body: "sim"})
	defer i.Close()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	go func() { _ = i.Run(ctx) }()
	release, number := time.Duration(0), uint64(0)
	tick := func(took time.Duration, skipped int) {
		tr := brain.Trace{Tick: number}
		tr.Laps[brain.Act] = took
		i.Put(&tr, loop.Sample{Release: release, Start: release, End: release + took, Skipped: skipped, Warm: true}, forensics.Parts{})
		number++
		release += period * time.Duration(1+skipped)
	}
	second := func(slow int) {
		for n := range 200 {
			if n == slow {
				tick(23*time.Millisecond, 4)
			} else {
				tick(time.Millisecond, 0)
			}
			if n%20 == 19 {
				i.Look(release, 0)
			}
		}
	}
	second(-1)
	if i.Newest() != nil || i.Misses() != 0 {
		t.Fatalf("of punctual ticks: %+v", i.Newest())
	}
	second(100)
	second(100)
	second(-1)
	n := i.Newest()
	if n == nil || n.Cause != forensics.SlowBus || n.Misses != 2 || n.Cost != 22*time.Millisecond {
		t.Fatalf("%+v", n)
	}
	kept := wait(t, folder)
	b := kept[0].Bundle
	if len(kept) != 1 || b.Finding.Cause != forensics.SlowBus || b.Program != "v" || b.Miss.Worst.Number != 300 || b.Misses != 1 {
		t.Fatalf("%d bundles, %+v", len(kept), b.Finding)
	}
	if len(b.Ticks) < 110 || b.Ticks[0].Number != 200 || b.Ticks[100].Number != 300 {
		t.Errorf("%d ticks from %d", len(b.Ticks), b.Ticks[0].Number)
	}
}

// wait waits for a bundle that is being written.
func wait(t *testing.T, folder string) []forensics.Kept {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		kept, err := forensics.Newest(folder, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) > 0 {
			return kept
		}
	}
	t.Fatal("no bundle within a minute")
	return nil
}

// TestFolderInTheWay: where something else stands in the folder's place, whoever asks hears
// so from the beginning, and a miss changes nothing in that; the bundle after it is gone is
// kept.
func TestFolderInTheWay(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "misses")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := loop.NewWitness()
	defer w.Close()
	a := forensics.NewArchive(folder, 1<<20)
	i := forensics.NewInspector(forensics.Options{Period: 5 * time.Millisecond, Witness: w, Archive: a})
	defer i.Close()
	if err := i.Err(); !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("before the first miss %v, want %v", err, unix.ENOTDIR)
	}
	var b forensics.Bundle
	if _, err := a.Put(&b); !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("the first bundle: %v, want %v", err, unix.ENOTDIR)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if path, err := a.Put(&b); err != nil || filepath.Dir(path) != folder {
		t.Errorf("the second bundle: %s, %v", path, err)
	}
}

// TestClockSetBack: bundles of before, whose names bear a later time than the clock tells
// now, give way to what has just been found out.
func TestClockSetBack(t *testing.T) {
	folder := t.TempDir()
	const quota = 20 << 10
	put := func(year, bundles int) {
		a := forensics.NewArchive(folder, quota)
		for n := range bundles {
			b := forensics.Bundle{Version: forensics.Version, At: time.Date(year, 1, 1, 0, 0, n, 0, time.UTC), Misses: uint64(n)}
			if _, err := a.Put(&b); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(2026, 40)
	put(1970, 3)
	kept, err := forensics.Newest(folder, 1000)
	if err != nil || len(kept) < 4 {
		t.Fatalf("%d bundles, %v", len(kept), err)
	}
	for n, k := range kept[:3] {
		if k.Bundle.At.Year() != 1970 || k.Bundle.Misses != uint64(n) {
			t.Errorf("bundle %d is %s", n, k.Name())
		}
	}
	if last := kept[len(kept)-1].Bundle; last.At.Year() != 2026 || last.Misses != 39 {
		t.Errorf("the newest of before is of %v", last.At)
	}
}
