package ground

import (
	"math"
	"testing"
)

// TestGapAndDark wants the body's distance to what stands, and to floor that is not known,
// within half a cell of the truth, and bounded by what was asked for.
func TestGapAndDark(t *testing.T) {
	g := create(t)
	clearing(g)
	for y := float32(-0.5); y < 0.5; y += Cell {
		block(g, 0.5, y)
	}
	wall := float64((float32(math.Floor(0.5/Cell)) + 0.5) * Cell) // middle of the wall's cells
	for _, x := range []float32{0.30, 0.36, 0.40, 0.45} {
		want := wall - float64(x) - float64(g.body.Radius)
		near(t, "to the wall", float64(g.Gap(x, 0, 0.3)), want, Cell/2)
		near(t, "to floor not known free", float64(g.Dark(x, 0, 0.3)), want, Cell/2)
	}
	near(t, "where nothing is near", float64(g.Gap(-0.2, 0, 0.04)), 0.04, 1e-6)
	if got := g.Dark(-0.2, 0, 0.04); math.Abs(float64(got-0.04)) > 1e-6 {
		t.Errorf("dark floor %v m from the body in the open, want the bound of 0.04", got)
	}
	g.wipe(index(coordinate(0.1), coordinate(0)))
	if gap, dark := g.Gap(0, 0, 0.04), g.Dark(0, 0, 0.04); math.Abs(float64(gap-0.04)) > 1e-6 || dark > 0.1-g.body.Radius+2*Cell {
		t.Errorf("beside one unknown cell the gap is %v and the dark %v m, want 0.04 and at most its distance", gap, dark)
	}
}

// TestWidth wants the free floor to both sides of the body, whatever its heading, and no
// more than was asked for.
func TestWidth(t *testing.T) {
	const half = 0.4
	g := create(t)
	clearing(g)
	for x := float32(-1); x < 1; x += Cell {
		block(g, x, half)
		block(g, x, -half)
	}
	for _, turn := range []float32{0, math.Pi} {
		near(t, "across the corridor", float64(g.Width(Pose{Heading: turn}, 0.8)), 2*half, 2*Cell)
	}
	near(t, "off its middle", float64(g.Width(Pose{Y: 0.2}, 0.8)), 2*half, 2*Cell)
	near(t, "along it", float64(g.Width(Pose{Heading: math.Pi / 2}, 0.5)), 1, 2*Cell)
	if w := create(t).Width(Pose{}, 0.8); w != 0 {
		t.Errorf("over floor not known the way is %v m wide, want 0", w)
	}
}

// TestLook wants more room kept where beams look to the sides: the way ends sooner before a
// gap that only the smaller margin fits through, and the risk beside a wall is higher.
func TestLook(t *testing.T) {
	g := create(t)
	clearing(g)
	gap := g.body.Radius + (g.body.Margin+g.body.Sides)/2 // half of it, to the middle of a cell
	for y := gap; y < 1; y += Cell {
		block(g, 0.4, y)
		block(g, 0.4, -y)
	}
	one := g.Sweep(Pose{}, 0, 0.7, false)
	risk := g.Risk(0.4, 0)
	g.Look(true)
	five := g.Sweep(Pose{}, 0, 0.7, false)
	if five.Free > one.Free || five.Ways[sizes-1] > one.Ways[sizes-1] {
		t.Errorf("with beams to the sides the way is %+v, longer than %+v", five, one)
	}
	if more := g.Risk(0.4, 0); more <= risk {
		t.Errorf("with beams to the sides the risk in the gap is %.2f, want more than %.2f", more, risk)
	}
	g.Look(false)
	if again := g.Sweep(Pose{}, 0, 0.7, false); again != one {
		t.Errorf("with one beam again the way is %+v, want %+v", again, one)
	}
	if _, err := New(Body{Radius: 0.09, Sides: 0.05}); err == nil {
		t.Error("a margin that the masks cannot hold is taken")
	}
}
