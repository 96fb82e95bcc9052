package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// refused lets a law try for some seconds on a table on which a reflex refuses every
// stroke, and returns which strokes it tried, in order.
func refused(t *testing.T, s *Situation, seconds float64) (tried []move) {
	t.Helper()
	s.Carried, s.AimWeight, s.Aim = func(float32, float32) bool { return true }, draws, math.Pi
	l := law()
	for x := float32(-0.3); x <= 0; x += 0.01 { // it comes
		s.Pose, s.Speed = ground.Pose{X: x}, 0.1
		l.trail.follow(s.Pose, s.Speed, 0)
	}
	s.Pose, s.Speed = ground.Pose{}, 0
	var o Order
	for now, was := 0.0, rest; now < seconds; now += s.Dt {
		s.Wheels = o.Steering
		if o = l.Decide(s); l.turn.stage == stroke && was != stroke {
			tried = append(tried, l.turn.move)
		}
		was = l.turn.stage
	}
	return tried
}

// TestTriesWhatItHasNotTried: on a table a stroke that the reflexes refuse is not tried
// again before every other one: two that are refused in turn would go on for ever.
func TestTriesWhatItHasNotTried(t *testing.T) {
	g := floor(t, 1)
	for _, b := range []float32{-30 * deg, 0, 30 * deg} {
		wall(g, b, 0.10)
	}
	for _, sides := range []bool{false, true} {
		s := here(g)
		s.Sides = sides
		tried := refused(t, s, 12)
		seen, first := moveSet(0), 0
		for ; first < len(tried) && !seen.has(tried[first]); first++ {
			seen = seen.with(tried[first])
		}
		if first < 4 {
			t.Errorf("sides %v: it tries %v, want four different strokes before one comes again", sides, tried)
		}
	}
}

// TestRefusedStroke: with one beam a stroke ahead that a reflex refuses ends at once, and
// one that nothing refuses is given time to get on.
func TestRefusedStroke(t *testing.T) {
	for _, c := range []struct {
		sides, held bool
		most        float64 // s
	}{{false, true, 0.15}, {false, false, 0.65}, {true, true, 0.65}} {
		l, s := law(), here(floor(t, 1))
		s.Sides, s.Held = c.sides, c.held
		l.turn = turn{stage: stroke, left: 0.2}
		took := 0.0
		for ; l.turn.stage == stroke && took < 1; took += s.Dt {
			l.Decide(s)
		}
		if took > c.most || took < c.most-0.1 {
			t.Errorf("%+v: it is tried for %.2f s", c, took)
		}
	}
}

// TestBackFromTheBar: while the edge is still under the bar the table does not say how
// far to go back; the car goes back before it turns, and farther once that is known.
func TestBackFromTheBar(t *testing.T) {
	l := law()
	s := here(floor(t, 1))
	s.AimWeight, s.Sides, s.Carried = 1, true, func(float32, float32) bool { return true }
	x := 0.0
	at := func() { s.Pose = ground.Pose{X: float32(x)} }
	for s.Speed = 0.1; x < 0.5; x += 0.01 { // it comes
		at()
		l.Decide(s)
	}
	s.Held, s.Aim, s.Heading, s.Speed = true, 140*deg, 140*deg, 0
	edge := x
	for range 4000 {
		at()
		if x < edge-0.02 {
			s.Held, s.Back = false, max(0.4-(edge-x), 0)
		}
		o := l.Decide(s)
		if l.turn.stage != withdraw {
			break
		}
		s.Wheels, s.Speed = o.Steering, o.Speed
		x += s.Speed * s.Dt
	}
	if gone := edge - x; gone < 0.36 || gone > 0.42 || l.turn.stage != pause {
		t.Errorf("it went %.2f m back, stage %d: want 0.4 and a turn", gone, l.turn.stage)
	}
}
