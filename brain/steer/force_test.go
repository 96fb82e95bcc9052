package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// boxed is a car around which the ground says that everything is taken.
func boxed(t *testing.T, sides bool) *Situation {
	t.Helper()
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	s := here(g)
	s.Sides = sides
	g.Drive(s.Pose)
	g.Contact(s.Pose, false)
	g.Contact(s.Pose, true)
	return s
}

// forcedMoves lets a law try for some seconds and returns what it forces and after how
// long the first time. Whatever it tries, the car stays where it is.
func forcedMoves(t *testing.T, l *Law, s *Situation, seconds float64) (ways map[move]float64, first float64) {
	t.Helper()
	ways = map[move]float64{}
	var o Order
	for now := 0.0; now < seconds; now += s.Dt {
		s.Wheels, s.Speed = o.Steering, 0
		if o = l.Decide(s); !l.turn.forces || l.turn.stage != stroke {
			continue
		}
		if len(ways) == 0 {
			first = now
		}
		ways[l.turn.move] = max(ways[l.turn.move], math.Abs(o.Speed))
		if math.Abs(o.Speed) > slowest || o.Speed*l.turn.move.gear() < 0 {
			t.Fatalf("move %d at %.2f m/s", l.turn.move, o.Speed)
		}
	}
	return ways, first
}

// TestForcesItsWay: a car around which the ground says that everything is taken moves
// back after a while all the same, at the least speed and each time another way. Over a
// floor that ends somewhere it stays.
func TestForcesItsWay(t *testing.T) {
	for _, c := range []struct {
		name                       string
		sides, held, table, before bool
		want                       int
	}{
		{"one beam", false, true, false, false, 3},
		{"five beams", true, true, false, false, 3},
		{"five beams, somebody before it", true, false, false, true, 3},
		{"a table", false, true, true, false, 0},
	} {
		s, l := boxed(t, c.sides), leading()
		if s.Held = c.held; c.table {
			s.Carried = func(float32, float32) bool { return true }
		}
		if c.before {
			s.hears(l, 35*deg, 0.017)
		}
		ways, first := forcedMoves(t, l, s, 30)
		for m, v := range ways {
			if v < slowest || m.gear() > 0 {
				t.Errorf("%s: move %d at %.2f m/s", c.name, m, v)
			}
		}
		if len(ways) != c.want || c.want > 0 && first < forceAfter {
			t.Errorf("%s: %d ways back, the first after %.2f s", c.name, len(ways), first)
		}
	}
}

// TestForcedStrokeEnds: neither a recoil nor a stroke that a search found goes whatever
// the ground says because the one before did.
func TestForcedStrokeEnds(t *testing.T) {
	s, l := boxed(t, false), leading()
	s.Held = true
	for range 2000 {
		if l.Decide(s); l.turn.forces && l.turn.stage == stroke {
			break
		}
	}
	if !l.turn.forces {
		t.Fatal("no stroke is forced")
	}
	l.turn.recoil(0)
	if l.turn.forces {
		t.Error("a recoil is a forced stroke")
	}
	l.turn.stage, l.turn.forces, l.turn.vain = plan, true, 0
	s.Ground, s.AimWeight, s.Aim = floor(t, 0.6), 1, math.Pi
	for range 100 {
		if l.plan(s); l.turn.stage != plan {
			break
		}
	}
	if l.turn.stage != swing || l.turn.forces {
		t.Errorf("stage %d, forced %v, want a stroke that was found", l.turn.stage, l.turn.forces)
	}
}

// TestForcedWhereNothingGetsOn: the same holds where every search finds a stroke.
func TestForcedWhereNothingGetsOn(t *testing.T) {
	for _, sides := range []bool{false, true} {
		s, l := here(floor(t, 0.6)), law()
		s.Sides, s.AimWeight, s.Aim = sides, 1, math.Pi
		_, first := forcedMoves(t, l, s, 8)
		if !sides && (first < forceLater || first > forceLater+2) || sides && first != 0 {
			t.Errorf("sides %v: forced after %.2f s", sides, first)
		}
	}
}

// TestForcedWhereRefused: with one beam a car whose searches dare a stroke ahead, which the reflex
// before its nose refuses every time, goes back as one does whose searches find nothing.
func TestForcedWhereRefused(t *testing.T) {
	s, l := boxed(t, false), leading()
	tried, first := 0, 0.0
	var o Order
	for now := 0.0; now < 20 && first == 0; now += s.Dt {
		s.Wheels, s.Speed = o.Steering, 0
		s.Held = l.turn.stage == stroke && l.turn.move.gear() > 0 // it lets go where the range trembles
		was := l.turn.stage
		if o = l.Decide(s); l.turn.stage == stroke && was != stroke && l.turn.move.gear() > 0 {
			tried++
		}
		if l.turn.forces && l.turn.stage == stroke {
			first = now
		}
	}
	if tried == 0 || first < forceLater || first > forceLater+2 || l.turn.move.gear() > 0 {
		t.Errorf("%d strokes ahead, move %d forced after %.2f s", tried, l.turn.move, first)
	}
}
