package ground

import "testing"

// TestWays wants a gap that is too narrow for the margin to end the way with it, and the
// middle of the gap to be the roomiest.
func TestWays(t *testing.T) {
	g := create(t)
	clearing(g)
	const gap = 3.5 * Cell // half of it, to the middle of a cell
	for y := float32(gap); y < 1; y += Cell {
		block(g, 0.4, y)
		block(g, 0.4, -y)
	}
	middle := g.Sweep(Pose{}, 0, 0.7, false)
	near(t, "with the margin", float64(middle.Free), 0.3, 0.05)
	near(t, "without", float64(middle.Ways[0]), 0.7, 1e-6)
	near(t, "over known floor without", float64(middle.Lane), 0.7, 1e-6)
	for _, y := range []float32{-0.02, 0.02} {
		if aside := g.Sweep(Pose{Y: y}, 0, 0.7, false); sum(aside.Ways) >= sum(middle.Ways) {
			t.Errorf("%v m beside the middle the ways are %v, no shorter than %v", y, aside.Ways, middle.Ways)
		}
	}
	for y := float32(-gap); y < gap; y += Cell { // shut
		block(g, 0.4, y)
	}
	if s := g.Sweep(Pose{}, 0, 0.7, false); s.Ways[0] > 0.31 || s.Lane > 0.31 {
		t.Errorf("through a wall: %+v", s)
	}
}

func sum(w Ways) (all float32) {
	for _, v := range w {
		all += v
	}
	return all
}
