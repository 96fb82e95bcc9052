package cpu_test

import (
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/testbench/tier"
)

// driven returns an engine after n ticks of an exercise, so that no channel is at
// rest.
func driven(tb testing.TB, step field.StepKind, n int) *cpu.Engine {
	tb.Helper()
	o := cpu.DefaultOptions()
	o.Step = step
	e, err := cpu.New(field.Default(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	d := exercise.New(3)
	for range n {
		if _, err := e.Step(d.Next()); err != nil {
			tb.Fatal(err)
		}
	}
	return e
}

// TestDistinct: what it copies is what Read expands, on either step, and it
// allocates nothing.
func TestDistinct(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	p := field.Default()
	l := field.NewLayout(&p.Table, field.Collapsed)
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		e := driven(t, step, 30)
		want, got := make([]float32, field.Cells), make([]float32, field.Cells)
		cells := make([]float32, field.Cells)
		for section := range field.PredictorSection + 1 {
			e.Read(section, want)
			e.Distinct(section, cells[:section.Distinct(&p.Table)])
			if section < field.Channels {
				l.Storage[section].Expand(got, cells)
			} else {
				clear(got)
				copy(got, cells[:field.PredictorCells])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: section %d is not what Read gives", step, section)
			}
		}
		if n := testing.AllocsPerRun(10, func() { e.Distinct(field.RangeSeen, cells) }); n != 0 {
			t.Errorf("%v: %v allocations", step, n)
		}
	}
}

// BenchmarkDistinct copies a whole field as a save does.
func BenchmarkDistinct(b *testing.B) {
	p := field.Default()
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		e := driven(b, step, 30)
		var sections [field.PredictorSection + 1][]float32
		for i := range sections {
			sections[i] = make([]float32, field.Section(i).Distinct(&p.Table))
		}
		b.Run(step.String(), func(b *testing.B) {
			for range b.N {
				for i, dst := range sections {
					e.Distinct(field.Section(i), dst)
				}
			}
		})
		b.Run(step.String()+"/read", func(b *testing.B) {
			buf := make([]float32, field.Cells)
			for range b.N {
				for i := range sections {
					e.Read(field.Section(i), buf)
				}
			}
		})
	}
}
