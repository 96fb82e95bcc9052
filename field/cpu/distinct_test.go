package cpu_test

import (
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/drill"
)

// driven returns an engine after n ticks of a drill, so that no channel is at
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
	d := drill.New(3)
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
	p := field.Default()
	l := field.NewLayout(&p.Table, field.Collapsed)
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		e := driven(t, step, 30)
		want, got := make([]float32, field.Cells), make([]float32, field.Cells)
		cells := make([]float32, field.Cells)
		for sheet := range field.Channels + 1 {
			e.Read(sheet, want)
			e.Distinct(sheet, cells[:field.SheetCells(&p.Table, sheet)])
			if sheet < field.Channels {
				l.Slots[sheet].Expand(got, cells)
			} else {
				clear(got)
				copy(got, cells[:field.LearnedCells])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: sheet %d is not what Read gives", step, sheet)
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
		var sheets [field.Channels + 1][]float32
		for sheet := range sheets {
			sheets[sheet] = make([]float32, field.SheetCells(&p.Table, sheet))
		}
		b.Run(step.String(), func(b *testing.B) {
			for range b.N {
				for sheet, dst := range sheets {
					e.Distinct(sheet, dst)
				}
			}
		})
		b.Run(step.String()+"/read", func(b *testing.B) {
			buf := make([]float32, field.Cells)
			for range b.N {
				for sheet := range sheets {
					e.Read(sheet, buf)
				}
			}
		})
	}
}
