package cpu_test

import (
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
)

// TestToilChangesNothing: the yardstick goes over a running engine's own memory, and the
// engine goes on as one that nobody measured.
func TestToilChangesNothing(t *testing.T) {
	for _, isa := range cpu.ISAs() {
		for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
			for _, threads := range []int{1, 2} {
				if isa == cpu.PureGo && step == field.Dense {
					continue // has no yardstick, which its collapsed step says
				}
				measured, left := engine(t, isa, step, threads), engine(t, isa, step, threads)
				a, b := exercise.New(3), exercise.New(3)
				for tick := range uint64(12) {
					if _, err := measured.Step(a.Next()); err != nil {
						t.Fatal(err)
					}
					if _, err := left.Step(b.Next()); err != nil {
						t.Fatal(err)
					}
					if has := measured.Toil(tick); has != (isa != cpu.PureGo) {
						t.Fatalf("%s: a yardstick: %v", measured.Name(), has)
					}
				}
				if x, y := field.Hash(measured), field.Hash(left); x != y {
					t.Errorf("%s: the yardstick changed the field: %016x, want %016x", measured.Name(), x, y)
				}
			}
		}
	}
}

func engine(t *testing.T, isa string, step field.StepKind, threads int) *cpu.Engine {
	t.Helper()
	e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: threads, Step: step})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// TestToilClosed: a closed engine has none.
func TestToilClosed(t *testing.T) {
	e := engine(t, cpu.ISAs()[0], field.Collapsed, 1)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e.Toil(0) {
		t.Error("a closed engine went over its field")
	}
}
