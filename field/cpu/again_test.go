package cpu_test

import (
	"errors"
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
)

// TestRestIsNew: an engine that was put to rest goes on as a new one with that key does, bit for bit,
// whatever it has seen, learned and kept. A closed one says so.
func TestRestIsNew(t *testing.T) {
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	best := cpu.ISAs()[0]
	for _, o := range []cpu.Options{
		{ISA: best, Threads: 1, Step: field.Collapsed},
		{ISA: best, Threads: 1, Step: field.Dense},
		{ISA: cpu.PureGo, Threads: 1, Step: field.Collapsed},
	} {
		build := func(key uint32) *cpu.Engine {
			q := p
			q.Key = key
			e, err := cpu.New(q, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		}
		used, fresh := build(1), build(7)
		sequence, ticks := exercise.New(3), 700
		if o.ISA == cpu.PureGo { // it is slow, and all engines keep patterns alike
			ticks = 50
		}
		for range ticks {
			if _, err := used.Step(sequence.Next()); err != nil {
				t.Fatal(err)
			}
		}
		kept := make([]float32, field.Cells)
		if used.Read(field.LibrarySection, kept); field.NewCatalogue(kept).Version(0) == 0 && ticks == 700 {
			t.Fatal("it has learned nothing")
		}
		if err := used.Rest(7); err != nil || used.Params().Key != 7 {
			t.Fatal(err)
		}
		again, anew := exercise.New(4), exercise.New(4)
		for tick := range 60 {
			a, err := used.Step(again.Next())
			b, other := fresh.Step(anew.Next())
			if err = errors.Join(err, other); err != nil {
				t.Fatal(err)
			}
			if a.Marginals != b.Marginals || a.Heading != b.Heading || a.Prediction != b.Prediction || a.Recall != b.Recall {
				t.Fatalf("%s: tick %d differs from a new engine's", used.Name(), tick)
			}
		}
		buf, want := make([]float32, field.Cells), make([]float32, field.Cells)
		for s := range field.Sections {
			used.Read(s, buf)
			if fresh.Read(s, want); !slices.Equal(buf, want) {
				t.Fatalf("%s: section %d differs", used.Name(), s)
			}
		}
	}
	closed, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(closed.Close(), closed.Rest(1)); !errors.Is(err, cpu.ErrClosed) {
		t.Errorf("a closed engine rests: %v", err)
	}
}
