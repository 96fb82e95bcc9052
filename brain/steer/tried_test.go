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
	add := func(at ground.Pose) { p.leave(at); p.failed() }
	add(ground.Pose{X: 1, Y: 2, Heading: 3.1})
	add(ground.Pose{X: 1.1, Y: 2, Heading: -3.1})
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
		add(ground.Pose{X: -1})
	}
	if p.n != triedMost || p.cost(&node{x: 1, y: 2, turn: 3.1}) != 0 {
		t.Errorf("%d places, the first still costs", p.n)
	}
}

// TestTakesAnotherExit: an exit that led nowhere is not taken again, with one beam, where
// another way is free, which is the dearer one the first time. What the car came away from
// is forgotten, and what is tried after that counts anew.
func TestTakesAnotherExit(t *testing.T) {
	for _, sides := range []bool{false, true} {
		s := here(floor(t, 1))
		s.Sides, s.Urge, s.Far, s.Confidence = sides, 1, 3, 1
		l := law()
		// off plans until the car drives off, or to where it would
		off := func(since float64) bool {
			l.since = since
			l.begin(s)
			for range 50 {
				if l.plan(s); l.turn.stage != plan {
					break
				}
			}
			return l.turn.stage == leave
		}
		if !off(1) {
			t.Fatalf("sides %v: it does not drive off the first time", sides)
		}
		if off(0.1) != sides {
			t.Errorf("sides %v: before the same thing again it drives off %v", sides, !sides)
		}
		if !off(2 * triedAway) {
			t.Errorf("sides %v: it does not drive off where it has come away", sides)
		}
		if off(0.1) != sides {
			t.Errorf("sides %v: the second time after that it drives off %v", sides, !sides)
		}
		if l.tried.n != map[bool]int{false: 1}[sides] {
			t.Errorf("sides %v: %d exits kept", sides, l.tried.n)
		}
	}
}

// TestExitInVain: an exit counts once, where the way is shut after it; not where a task
// draws elsewhere, and not where none was taken.
func TestExitInVain(t *testing.T) {
	shut := func(l *Law, s *Situation) {
		l.turn.begin(s)
		l.turn.stage, l.turn.left = leave, leaveWay
		l.tried.leave(s.Pose)
		wall(s.Ground, 0, 0.03)
		l.leave(s)
	}
	for _, c := range []struct {
		name string
		do   func(l *Law, s *Situation)
		want int
	}{
		{"shut while it leaves, and begun anew", func(l *Law, s *Situation) { shut(l, s); l.begin(s) }, 1},
		{"none taken", func(l *Law, s *Situation) { l.turn.begin(s); l.turn.end(); l.begin(s) }, 0},
		{"shut soon after", func(l *Law, s *Situation) { l.tried.leave(s.Pose); l.begin(s) }, 1},
		{"the goal lies elsewhere", func(l *Law, s *Situation) { l.tried.leave(s.Pose); l.astray = 1; l.begin(s) }, 0},
		{"later", func(l *Law, s *Situation) { l.tried.leave(s.Pose); l.since = 0.3; l.begin(s) }, 0},
		{"forgotten", func(l *Law, s *Situation) { shut(l, s); l.Forget(); l.begin(s) }, 0},
	} {
		l, s := law(), here(floor(t, 1))
		if c.do(l, s); l.tried.n != c.want || l.tried.open {
			t.Errorf("%s: %d exits, open %v, want %d", c.name, l.tried.n, l.tried.open, c.want)
		}
	}
}

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
	s.Ground, s.Urge, s.Aim = floor(t, 0.6), 1, math.Pi
	for range 100 {
		if l.plan(s); l.turn.stage != plan {
			break
		}
	}
	if l.turn.stage != swing || l.turn.forces {
		t.Errorf("stage %d, forced %v, want a stroke that was found", l.turn.stage, l.turn.forces)
	}
}
