package recording_test

import (
	"testing"

	"fieldbrain/daemon/recording"
	"fieldbrain/field"
)

// TestAnswerSeesEverything: one sum of one channel, one cell of the obstacle map or one
// bearing of the heading's input makes another answer.
func TestAnswerSeesEverything(t *testing.T) {
	out := &field.Output{Obstacle: new([field.Plane]float32)}
	for c := range out.Marginals {
		m := &out.Marginals[c]
		m.Total = 1
		for i := range m.X {
			m.X[i], m.Y[i], m.Z[i] = int32(c+i), int32(c*i), int32(i)
		}
	}
	plain := recording.Answer(out)
	other := func(what string, at int, v *int32) {
		*v++
		if recording.Answer(out) == plain {
			t.Errorf("%s %d of a channel does not count", what, at)
		}
		*v--
	}
	for c := range out.Marginals {
		m := &out.Marginals[c]
		other("total", c, &m.Total)
		for i := range m.X {
			other("x", i, &m.X[i])
			other("y", i, &m.Y[i])
			other("z", i, &m.Z[i])
		}
	}
	for i := range out.Obstacle {
		out.Obstacle[i] += 0.5
		if recording.Answer(out) == plain {
			t.Errorf("cell %d of the obstacle map does not count", i)
		}
		out.Obstacle[i] -= 0.5
	}
	for i := range out.Heading {
		for _, v := range []*float32{&out.Heading[i], &out.Blocked[i]} {
			*v++
			if recording.Answer(out) == plain {
				t.Errorf("bearing %d does not count", i)
			}
			*v--
		}
	}
	if recording.Answer(out) != plain {
		t.Error("equal outputs give unequal answers")
	}
}
