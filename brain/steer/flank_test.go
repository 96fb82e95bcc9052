package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// flanked is a floor with something close to one flank of the body: +1 left, -1 right.
func flanked(t *testing.T, side float32) *ground.Grid {
	t.Helper()
	g := floor(t, 1.5)
	body := g.Body()
	wall(g, side*85*deg, body.Radius+0.02)
	return g
}

// TestFlank wants an arc to cost the more, the nearer the body comes to what stands beside
// it, mirrored on the other side, and nothing in the open.
func TestFlank(t *testing.T) {
	l := law()
	if c := l.flank(here(floor(t, 1.5)), 15*deg); c > 1e-6 {
		t.Errorf("in the open an arc costs %g, want nothing", c)
	}
	for _, side := range []float64{1, -1} {
		s := here(flanked(t, float32(side)))
		towards, straight, away := l.flank(s, side*20*deg), l.flank(s, 0), l.flank(s, -side*20*deg)
		if !(towards > straight && straight >= away) {
			t.Errorf("side %+.0f: towards it %.3f, straight %.3f, away %.3f; want less and less", side, towards, straight, away)
		}
		if towards > flankCost+darkCost {
			t.Errorf("side %+.0f: an arc costs %.3f, want at most %v", side, towards, flankCost+darkCost)
		}
	}
}

// TestDarkFlank wants the same of floor that nobody has seen, to half the cost.
func TestDarkFlank(t *testing.T) {
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for x := float32(-0.5); x < 1; x += 0.02 { // a lane, wider to the left
		for y := float32(0); y <= 0.3; y += 0.02 {
			g.Drive(ground.Pose{X: x, Y: y})
		}
	}
	l, s := law(), here(g)
	if left, right := l.flank(s, 20*deg), l.flank(s, -20*deg); !(right > left+0.2) || right > darkCost {
		t.Errorf("to the floor that was seen an arc costs %.3f, to the other %.3f; want clearly more, at most %v", left, right, darkCost)
	}
}

// TestTurnsNoFlankIn: beams to the sides, a way ahead as good on both sides, and something
// beside the body: the wheels do not turn towards it as far as the field's heading asks
// for; on the other side they do.
func TestTurnsNoFlankIn(t *testing.T) {
	for _, side := range []float64{1, -1} {
		s := here(flanked(t, float32(side)))
		s.Sides = true
		steer := func(heading float64) float64 {
			l := law()
			s.Heading, s.Wheels = heading, 0
			var o Order
			for range 200 {
				s.Wheels = o.Steering
				o = l.Decide(s)
			}
			return math.Abs(o.Steering)
		}
		towards, away := steer(side*25*deg), steer(-side*25*deg)
		if towards > away-5*deg {
			t.Errorf("side %+.0f: towards what stands there the wheels turn %.1f deg, away from it %.1f; want 5 deg less", side, towards/deg, away/deg)
		}
	}
}
