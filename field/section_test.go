package field_test

import (
	"slices"
	"testing"

	"fieldbrain/field"
)

// TestDistinct: whatever the step, the same cells are picked, and the
// collapsed layout makes the whole channel of them again.
func TestDistinct(t *testing.T) {
	table := field.PiCarX()
	for i, m := range []field.Mask{field.Uniform, field.X, field.Y, field.Z, field.XY, field.XZ, field.Y | field.Z, field.XYZ} {
		table[i].Mask = m
	}
	collapsed, dense := field.NewLayout(&table, field.Collapsed), field.NewLayout(&table, field.Dense)
	for c := range 8 {
		want := make([]float32, field.Cells)
		for i := range want { // its own number along the axes the channel has
			at := [3]int{i / field.Plane, i / field.Side % field.Side, i % field.Side}
			for axis := range at {
				if table[c].Mask>>axis&1 == 0 {
					at[axis] = 0
				}
			}
			want[i] = float32((at[0]*field.Side+at[1])*field.Side + at[2])
		}
		var picked [2][]float32
		for i, l := range []*field.Layout{&collapsed, &dense} {
			s := &l.Storage[c]
			stored := make([]float32, s.Size())
			s.Collapse(stored, want)
			picked[i] = make([]float32, field.Section(c).Distinct(&table))
			s.Distinct(picked[i], stored)
		}
		if !slices.Equal(picked[0], picked[1]) {
			t.Errorf("channel %d: the steps pick different cells", c)
		}
		got := make([]float32, field.Cells)
		collapsed.Storage[c].Expand(got, picked[0])
		if !slices.Equal(got, want) {
			t.Errorf("channel %d: %d cells do not say all of it", c, len(picked[0]))
		}
	}
	if got := field.PredictorSection.Distinct(&table); got != field.PredictorCells {
		t.Errorf("what was learned has %d values, want %d", got, field.PredictorCells)
	}
}
