package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// TestTriedExits: where a car with one beam drove off in vain, driving off costs more each
// time, near there and in the same direction alone; the oldest are forgotten.
func TestTriedExits(t *testing.T) {
	var p tried
	p.add(ground.Pose{X: 1, Y: 2, Heading: 3.1})
	p.add(ground.Pose{X: 1.1, Y: 2, Heading: -3.1})
	for _, c := range []struct {
		x, y, turn float32
		want       float64
	}{
		{1.05, 2, 3.14, 2 * triedCost},
		{0.95, 2, 3.1, triedCost}, // 0.15 m from the second
		{1.05, 2, 2.7, triedCost}, // 23 degrees off the first, 28 off the second
		{1.05, 2, 0, 0},
		{1.05, 2.5, 3.1, 0},
	} {
		got := p.cost(&node{x: c.x, y: c.y, turn: c.turn})
		if got != c.want {
			t.Errorf("at (%.2f, %.2f), %.2f rad: %.0f s, want %.0f", c.x, c.y, c.turn, got, c.want)
		}
	}
	for range triedMost {
		p.add(ground.Pose{X: -1})
	}
	if p.n != triedMost || p.cost(&node{x: 1, y: 2, turn: 3.1}) != 0 {
		t.Errorf("%d places, the first still costs", p.n)
	}
}

// TestTakesAnotherExit: an exit that led nowhere is not taken again where another way is
// free, which is the dearer one the first time.
func TestTakesAnotherExit(t *testing.T) {
	for _, sides := range []bool{false, true} {
		s := here(floor(t, 1))
		s.Sides = sides
		s.Urge, s.Far, s.Aim = 1, 3, 0
		l := law()
		l.exit = s.Pose
		l.turn.count = 1
		seek := func() result {
			l.begin(s)
			l.seek(s)
			for !l.search.advance(s.Ground) {
			}
			return l.search.found()
		}
		l.since = 1
		if r := seek(); !r.here {
			t.Fatalf("sides %v: the first time %+v, want to drive off", sides, r)
		}
		l.since = 0.1 // and there it is again
		if r := seek(); r.here != sides {
			t.Errorf("sides %v: the second time %+v", sides, r)
		}
		l.since = 2 * triedAway // it came away meanwhile
		if r := seek(); !r.here {
			t.Errorf("sides %v: later %+v, want to drive off", sides, r)
		}
	}
}

// TestGoesBackOverMarks: a car around which the ground says that everything is taken goes
// back after a while, a little at a time, and not always the same way; over a floor that
// ends somewhere it stays.
func TestGoesBackOverMarks(t *testing.T) {
	for _, sides := range []bool{false, true} {
		for _, table := range []bool{false, true} {
			g, err := ground.New(ground.Default())
			if err != nil {
				t.Fatal(err)
			}
			s := here(g)
			s.Sides = sides
			g.Drive(s.Pose)
			g.Contact(s.Pose, false)
			g.Contact(s.Pose, true)
			if table {
				s.Carried = func(float32, float32) bool { return true }
			}
			s.Held = true
			l := law()
			first, ways := 0.0, map[move]bool{}
			var o Order
			for i := range 1600 {
				s.Wheels, s.Speed = o.Steering, 0 // whatever it tries, it stays where it is
				o = l.Decide(s)
				if !l.turn.forces || l.turn.stage != stroke {
					continue
				}
				if len(ways) == 0 {
					first = float64(i) * s.Dt
				}
				ways[l.turn.move] = true
				if math.Abs(o.Speed) > slowest || l.turn.move.gear() > 0 {
					t.Fatalf("sides %v, table %v: move %d at %.2f m/s", sides, table, l.turn.move, o.Speed)
				}
			}
			switch {
			case table && len(ways) > 0:
				t.Errorf("sides %v: it backs over a floor that ends", sides)
			case !table && (first < forceAfter || len(ways) < 2):
				t.Errorf("sides %v: back after %.2f s, in %d ways", sides, first, len(ways))
			}
		}
	}
}
