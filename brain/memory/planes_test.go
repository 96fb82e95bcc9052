package memory_test

import (
	"testing"

	"fieldbrain/brain/memory"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
)

// planed returns an engine with so many planes.
func planed(t *testing.T, planes int) *cpu.Engine {
	t.Helper()
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	field.Reduce(&p.Table, planes)
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// TestPlanesShareOneFile: a field of 8 planes is saved as one of 32 and goes on, bit for
// bit, with 8; with 32 it begins where it was.
func TestPlanesShareOneFile(t *testing.T) {
	from, d := planed(t, 8), exercise.New(3)
	for range 40 {
		if _, err := from.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	shot := memory.New(&table)
	distinct := memory.Distinct(from, &table)
	other := make([]float32, field.Cells)
	for i, dst := range shot.Field {
		from.Distinct(field.Section(i), dst)
		distinct(field.Section(i), other[:len(dst)])
		for j, v := range dst {
			if other[j] != v {
				t.Fatalf("section %d: value %d is %v of an engine that is read whole, else %v", i, j, other[j], v)
			}
		}
	}
	read, err := memory.Decode(encoded(t, shot), &table)
	if err != nil {
		t.Fatal(err)
	}
	for _, planes := range []int{8, field.Side} {
		to := planed(t, planes)
		own := field.Default().Table
		field.Reduce(&own, planes)
		if err := read.Restore(to, nil, &own, 0, true); err != nil {
			t.Fatal(err)
		}
		if got, want := field.Hash(to), field.Hash(from); got != want {
			t.Errorf("%d planes begin with the field %#x, saved was %#x", planes, got, want)
		}
	}
}
