package steer

import (
	"math"

	"fieldbrain/field/exact"
)

// A goal that is near and beside the car lies inside the circle that it drives: it would go
// round it for ever. With one beam it does not even get there, because it hardly steers over
// what it has not seen, and passes what is 45 degrees off. It turns to such a goal in
// strokes before it drives on.
const (
	closeBy    = 1.0      // m: a goal as near is turned to before the car goes on; it passes it else, and goes round it for ever
	closeOff   = 60 * deg // of such a goal
	closeBlind = 45 * deg // the same where no beam sees what an arc leads over: there it hardly steers
	closeTurn  = 25 * deg // by which the wheels may turn less than the field asks
	closeWay   = 0.4      // m between two such turns, or half the way to the goal

	shutWay = 0.3 // m: where no arc is longer, a car with one beam turns to what is hinted at behind it
)

// close reports whether the task draws to a goal that is near.
func (s *Situation) close() bool {
	return s.AimWeight >= urgent && s.GoalRange > 0 && s.GoalRange < closeBy
}

// turnsAway reports whether what the task draws to lies behind, or near and beside, and
// the car does not turn to it.
func (l *Law) turnsAway(s *Situation) bool {
	if s.AimWeight < urgent || l.tabled(s) {
		return l.shutIn(s)
	}
	off, lacks := math.Abs(s.Aim), math.Abs(s.Heading-l.chosen.steering)
	turns := float64(s.Heading*s.Aim) > 0 && math.Abs(s.Heading) > 20*deg
	if s.close() && l.since > min(closeWay, s.GoalRange/2) {
		if s.Sides {
			return off > closeOff
		}
		return off > closeBlind && (!turns || lacks > closeTurn)
	}
	return off >= behind && (!turns || l.chosen.free < l.numbers.Comfort || lacks > 90*deg)
}

// shutIn reports whether what the task only hints at lies behind, and no way ahead is long.
// With one beam the car turns then, in strokes that the place still has room for: it drove
// on to the end of a dead end, and turned there.
func (l *Law) shutIn(s *Situation) bool {
	hinted := s.AimWeight >= draws && s.AimWeight < urgent && math.Abs(s.Aim) >= behind
	return hinted && !s.Sides && s.Carried == nil && l.longest < shutWay
}

// offCost is what it costs in s to drive off some rad beside the aim.
func (q *search) offCost(off float64) float64 {
	switch {
	case q.turned:
		return float64(offAgain * max(0, off-near))
	case q.close:
		return float64(offClose * max(0, off-nearClose))
	}
	return float64(q.numbers.ExitOff * max(0, off-near))
}

// A goal is a place that lies elsewhere from every node of a search. A car with one beam
// takes its direction instead: what it knows is the floor behind it, and strokes there
// bring no place nearer.
type goal struct {
	known bool
	x, y  float64 // m
}

// goal is the near goal at an angle in the world, in rad.
func (s *Situation) goal(aim float64) goal {
	if !s.close() || !s.Sides {
		return goal{}
	}
	return goal{
		known: true,
		x:     float64(s.Pose.X) + float64(s.GoalRange*exact.Cos(aim)), y: float64(s.Pose.Y) + float64(s.GoalRange*exact.Sin(aim)),
	}
}

// from is where it lies from a node, in rad in the world; the aim where no place is known.
func (g *goal) from(n *node, aim float64) float64 {
	if !g.known {
		return aim
	}
	return exact.Atan2(g.y-float64(n.y), g.x-float64(n.x))
}
