package forensics

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fieldbrain/field"
)

// TestOrder: the newest bundles are those of this start of the machine, by its monotonic
// clock, whatever the wall's clock was when they got their names.
func TestOrder(t *testing.T) {
	folder, present := t.TempDir(), bootID()
	if present == "" {
		t.Skip("this kernel does not name its starts")
	}
	a := NewArchive(folder, 1<<20)
	put := func(boot string, at time.Time, end time.Duration, number uint64) {
		t.Helper()
		b := Bundle{Version: Version, Boot: boot, At: at, Misses: number, Finding: Finding{Cause: SlowEngine}}
		b.Miss.Worst.End = end
		if _, err := a.Put(&b); err != nil {
			t.Fatal(err)
		}
	}
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	put("", noon.Add(time.Minute), 0, 1)                // of an older program
	put("before", noon.Add(time.Hour), 90*time.Hour, 2) // of a start before
	put("before", noon.Add(-time.Hour), 91*time.Hour, 3)
	put(present, noon.Add(2*time.Minute), time.Hour, 4)
	put(present, noon.Add(-48*time.Hour), 2*time.Hour, 5) // the clock was set back
	for most, want := range map[int][]uint64{1: {5}, 2: {4, 5}, 9: {1, 2, 3, 4, 5}} {
		kept, err := Newest(folder, most)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for _, k := range kept {
			got = append(got, k.Bundle.Misses)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the newest %d are %v, want %v", most, got, want)
		}
	}
}

// TestOrderOfWhatCannotBeRead: it stands where its name does, and keeps the others' order.
func TestOrderOfWhatCannotBeRead(t *testing.T) {
	kept := []Kept{
		{Path: "f/miss-3", Bundle: Bundle{Boot: "x"}},
		{Path: "f/miss-2", Err: errors.New("damaged")},
		{Path: "f/miss-1", Bundle: Bundle{Boot: "y"}},
		{Path: "g/miss-0", Bundle: Bundle{Boot: "now"}},
	}
	order(kept, "now")
	var names string
	for i := range kept {
		names += filepath.Base(kept[i].Path) + " "
	}
	if want := "miss-1 miss-2 miss-3 miss-0 "; names != want {
		t.Errorf("%s, want %s", names, want)
	}
}

// TestBundleBearsItsStart: a bundle says of which start of the machine it is.
func TestBundleBearsItsStart(t *testing.T) {
	i := NewInspector(Options{Period: field.MinPeriod})
	defer i.Close()
	var b Bundle
	b.fill(i, &Evidence{}, &Finding{})
	if b.Boot != bootID() {
		t.Errorf("%q, want %q", b.Boot, bootID())
	}
}
