package ground

import (
	"math"
	"testing"
)

// lead drives the body along the middle of a row of cells, which makes known what it comes over and no more.
func lead(g *Grid, to float32) {
	for x := float32(0); x < to; x += 0.01 {
		g.Drive(Pose{X: x, Y: Cell / 2})
	}
}

// TestUnseen wants the way before each flank is over floor of which nothing is known: the
// whole length in a clearing, the hole's place on the hole's side only, and nothing where
// the hole is occupied, which was seen.
func TestUnseen(t *testing.T) {
	const length = 0.45
	for _, side := range []float32{1, -1} {
		for _, turn := range []float32{0, 1, math.Pi} {
			g := create(t)
			clearing(g)
			at := Pose{Heading: turn}
			if l, r := g.Unseen(at, 0, 0, length, true); l != length || r != length {
				t.Fatalf("heading %v: in a clearing unseen after %v and %v m, want never", turn, l, r)
			}
			x, y := at.place(g.body.Ahead+0.3, side*0.07)
			hole := index(coordinate(x), coordinate(y))
			g.wipe(hole)
			of, other := g.Unseen(at, 0, 0, length, false)
			if side < 0 {
				of, other = other, of
			}
			if ahead := 0.3 - math.Sqrt(float64(g.body.Radius*g.body.Radius)-0.07*0.07); math.Abs(float64(of)-ahead) > 1.5*Cell {
				t.Errorf("side %+.0f, heading %v: the hole begins after %.3f m, want %.3f", side, turn, of, ahead)
			}
			if other != length {
				t.Errorf("side %+.0f, heading %v: the other flank is over it after %.3f m, want never", side, turn, other)
			}
			g.put(hole, Occupied)
			if l, r := g.Unseen(at, 0, 0, length, false); l != length || r != length {
				t.Errorf("side %+.0f, heading %v: what is occupied counts as unseen", side, turn)
			}
		}
	}
}

// TestUnseenLane wants a lane as wide as the body seen for the body, unseen for the margin on
// both sides, and only from where it is asked.
func TestUnseenLane(t *testing.T) {
	g := create(t)
	lead(g, 0.6)
	if l, r := g.Unseen(Pose{Y: Cell / 2}, 0, 0.12, 0.4, true); l < 0.12 || l > 0.12+2*stride || r != l {
		t.Errorf("with its margin a body is over unseen floor after %v and %v m, want from 0.12 on", l, r)
	}
	l, _ := g.Unseen(Pose{Y: Cell / 2}, 8, 0, 0.4, false)
	_, r := g.Unseen(Pose{Y: Cell / 2}, -8, 0, 0.4, false)
	if !(l < 0.15 && math.Abs(float64(l-r)) <= stride) {
		t.Errorf("on arcs out of the lane unseen after %v to the left and %v m to the right, want soon and alike", l, r)
	}
	if l, r := g.Unseen(Pose{X: float32(math.NaN())}, 0, 0, 0.4, true); l != 0 || r != 0 {
		t.Errorf("nowhere at all unseen after %v, %v m, want 0", l, r)
	}
}
