package memory_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fieldbrain/brain/memory"
	"fieldbrain/field"
)

// TestDiff: it finds the changed sections, how far they are apart, and no other.
func TestDiff(t *testing.T) {
	a, b := full(t), full(t)
	if d, c := memory.Diff(a, b, &table), memory.Changed(a, b); len(d)+len(c) != 0 {
		t.Fatalf("equal snapshots differ in %v %v", d, c)
	}
	for i := range a.Field[field.Heading] {
		a.Field[field.Heading][i], b.Field[field.Heading][i] = 3, 3
	}
	a.Field[field.Heading][0], b.Field[field.Heading][0] = 4, 0
	b.Field[5], a.Field[6] = nil, nil
	clear(a.Field[7])
	b.Brain.Heading = 0.5
	d, c := memory.Diff(a, b, &table), memory.Changed(a, b)
	if len(d) != 4 || len(c) != 1 {
		t.Fatalf("%+v %+v, want four sections and one number", d, c)
	}
	want := 4 / math.Sqrt(16+31*9)
	if h := d[3]; h.Section != "channel 48" || h.Name != "HEADING" || h.Largest != 4 || math.Abs(h.Relative-want) > 1e-12 {
		t.Errorf("%+v, want HEADING %.3f apart", h, want)
	}
	if d[0].Only != "first" || d[1].Only != "second" || d[2].Relative != 1 {
		t.Errorf("%+v, want one only in the first, one only in the second, one against nothing", d[:3])
	}
	if c[0].Name != "Heading" || c[0].First != 0.0 || c[0].Second != 0.5 {
		t.Errorf("%+v, want the heading", c[0])
	}
}

// TestSummary: masses and peaks are those of the cells, and only slots that were
// ever valid are shown.
func TestSummary(t *testing.T) {
	s := full(t)
	for i := range s.Field[field.Heading] {
		s.Field[field.Heading][i] = -5
	}
	s.Field[field.Heading][16], s.Field[field.Heading][17] = 9, 8 // full output
	var p field.Predictor
	p.Met[3], p.E2[3], p.Result.Confidence[3] = 1, 0.25, 0.75
	p.Store(s.Field[field.PredictorSection])
	s.Field[2] = nil
	all := s.Channels(&table)
	if len(all) != field.Channels-1 {
		t.Fatalf("%d channels, want all but the absent one", len(all))
	}
	if h := all[field.Heading-1]; h.Name != "HEADING" || h.Mass != 2 || h.Peak != 9 {
		t.Errorf("%+v, want a mass of 2 cells and a peak of 9", h)
	}
	slots := s.Slots()
	if len(slots) != 1 || slots[0] != (memory.SlotSummary{Slot: 3, Confidence: 0.75, Error: 0.5}) {
		t.Errorf("slots %+v", slots)
	}
	s.Field[field.PredictorSection] = nil
	if len(s.Slots()) != 0 {
		t.Error("slots of nothing learned")
	}
}

// TestChangedInside: Changed names the numbers that differ within a struct, and
// counts the cells of a table.
func TestChangedInside(t *testing.T) {
	var a, b memory.Snapshot
	b.Brain.Place.X, b.Brain.Explored.Belief.Odds[7], b.Brain.Tick = 2, -9, 3
	want := []memory.Change{
		{Name: "Tick", First: uint64(0), Second: uint64(3)},
		{Name: "Place.X", First: 0.0, Second: 2.0},
		{Name: "Explored.Belief.Odds", First: "32768 cells", Second: "1 of them differ"},
	}
	if got := memory.Changed(&a, &b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestPatternSummary: patterns there are, and no free places.
func TestPatternSummary(t *testing.T) {
	s, shelf := full(t), field.NewShelf(&table)
	var l field.Library
	l.Reset(&shelf)
	l.Version[7], l.Score[7], l.Uses[7], l.Fresh[7] = 3, -0.5, 4, 0.9
	s.Field[field.LibrarySection] = make([]float32, field.Cells)
	l.Store(s.Field[field.LibrarySection])
	want := []memory.PatternSummary{{Pattern: 7, Score: -0.5, Uses: 4, Fresh: 0.9}}
	if got := s.Patterns(&table); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if s.Field[field.LibrarySection] = nil; s.Patterns(&table) != nil {
		t.Error("patterns of a snapshot without a library")
	}
}

// TestDiffOfPatterns: parts that differ, or that one snapshot alone has, are named;
// zeros at a part's end are no difference.
func TestDiffOfPatterns(t *testing.T) {
	a, b := full(t), full(t)
	part := func(k int, cells ...float32) memory.Part {
		return memory.Part{Section: field.PatternSection(k, 0), Cells: cells}
	}
	a.Parts = []memory.Part{part(1, 3, 4), part(2, 1), part(4, 5)}
	b.Parts = []memory.Part{part(1, 3, 4, 0), part(2, 1, 2), part(3, 7)}
	var got []string
	for _, d := range memory.Diff(a, b, &table) {
		got = append(got, fmt.Sprint(d.Section, d.Only, d.Largest))
	}
	want := []string{"pattern 2 part 02", "pattern 3 part 0second0", "pattern 4 part 0first0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
