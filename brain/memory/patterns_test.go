package memory_test

import (
	"slices"
	"testing"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/field/fieldtest"
	"fieldbrain/testbench/tier"
)

// follow steps an engine until the copies are of its patterns; they are followed
// from tick 100 on, while more is learned until tick 150.
func follow(t *testing.T, follows *memory.Patterns, e *cpu.Engine, d *exercise.Sequence) {
	t.Helper()
	whole := false
	for tick := 0; tick < 150 || !whole; tick++ {
		in := d.Next()
		if tick >= 150 {
			in.Outcome = 0 // the exercise would have a pattern written in every tick
		}
		if _, err := e.Step(in); err != nil {
			t.Fatal(err)
		}
		if tick < 100 {
			continue
		}
		if whole = follows.Follow(e.Distinct); !whole && follows.Short() {
			follows.Grow()
		}
		if tick > 1000 {
			t.Fatal("the copies never are the engine's")
		}
	}
}

// older returns what is read of a file that calls library and parts as programs before
// 0.1.0 did.
func older(t *testing.T, s *memory.Snapshot, table *[field.Channels]field.Channel) *memory.Snapshot {
	t.Helper()
	f, err := memory.Parse(encoded(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Sections {
		switch s := &f.Sections[i]; s.Name {
		case "library":
			s.Name, s.Number = "sheet", uint32(field.LibrarySection)
		case "part":
			s.Name, s.Number = "sheet", uint32(field.FirstPattern)+s.Number
		}
	}
	old, err := memory.Decode(f.Bytes(), table)
	if err != nil {
		t.Fatal(err)
	}
	return old
}

// TestPatternsAreKept: patterns that were followed while others were learned are
// those of the engine, bit for bit, and a restored engine goes on with them.
func TestPatternsAreKept(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	p := field.Default()
	p.Period, p.Recall = 40*time.Millisecond, field.DefaultLibrary()
	engine := func(step field.StepKind) *cpu.Engine {
		e, err := cpu.New(p, cpu.Options{ISA: "auto", Threads: 1, Step: step})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	e, d := engine(field.Collapsed), exercise.NewLoop(5, 6)
	follows, shot := memory.NewPatterns(), memory.New(&p.Table)
	follow(t, follows, e, d)
	for i, dst := range shot.Field {
		e.Distinct(field.Section(i), dst)
	}
	shot.Parts = follows.Parts()
	back, err := memory.Decode(encoded(t, shot), &p.Table)
	if err != nil {
		t.Fatal(err)
	}
	other := engine(field.Dense)
	if err := back.Restore(other, nil, &p.Table, 0, true); err != nil {
		t.Fatal(err)
	}
	if n := fieldtest.SamePatterns(t, other, e); n < 3 {
		t.Errorf("%d patterns, want 3 for a test", n)
	}
	for range 60 {
		in := d.Next()
		in.Outcome = 0 // what may yet be worth a pattern is not kept
		for _, e := range []*cpu.Engine{e, other} {
			if _, err := e.Step(in); err != nil {
				t.Fatal(err)
			}
		}
	}
	if a, b := field.Hash(e), field.Hash(other); a != b {
		t.Errorf("60 ticks later the fields are %#016x and %#016x", a, b)
	}
	if old := older(t, shot, &p.Table); !slices.EqualFunc(old.Parts, back.Parts, func(a, b memory.Part) bool {
		return a.Section == b.Section && slices.Equal(a.Cells, b.Cells)
	}) || !slices.Equal(old.Field[field.LibrarySection], back.Field[field.LibrarySection]) {
		t.Error("under their older names library and patterns are others")
	}
	back.Parts = back.Parts[1:]
	if back.Check() == nil {
		t.Error("a library without one of its patterns passes")
	}
	if n := testing.AllocsPerRun(10, func() { follows.Follow(e.Distinct) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
