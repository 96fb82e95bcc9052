package steer

import (
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// glances turn the nose, on the way, to floor that the body's flanks will come over: a single
// beam sees the middle of the way, and what a car with one beam touched stood beside it
// (docs/decisions/0043). Where the way is long the nose turns to either side in turn.
type glances struct {
	side float64    // to which the nose turns: +1 left, -1 right, 0 neither
	way  float64    // m driven since it began to
	from float64    // rad, where the nose pointed then
	rest [2]float64 // m to drive before the next one to the left, to the right
}

const (
	glanceFrom  = 0.12     // m of the way: what is nearer the nose cannot turn to any more
	glanceTo    = 0.45     // m
	glancePast  = 0.03     // m beyond the free way that count
	glanceAngle = 20 * deg // of the wheels, from the chosen arc's
	glanceTurn  = 20 * deg // of the nose, after which a glance ends
	glanceWay   = 0.20     // m, likewise
	glanceRest  = 0.25     // m before the next one to that side
	glanceNear  = 0.10     // m in which its arc meets nothing, and no floor unseen sooner than the wheels' arc does
)

// glancing reports whether the flanks count: with one beam, but where sides of the floor are
// known: they, and not what stands on it, end the way there.
func (s *Situation) glancing() bool { return !s.Sides && len(s.Brinks) == 0 }

// unlit returns how far the body comes on the arc of the wheels before a flank is over
// floor that nobody has seen, in m: what a car with one beam has to slow down for.
func (l *Law) unlit(s *Situation) float64 {
	if dim := unseen(s, l.curvature(s.Wheels), glanceTo); dim < glanceTo {
		return dim
	}
	return horizon
}

// unseen is how far an arc of a curvature leads before either flank is over such floor.
func unseen(s *Situation, curvature, length float32) float64 {
	left, right := s.Ground.Unseen(s.Pose, curvature, 0, length, false)
	return float64(min(left, right))
}

// glance returns the steering with which the nose turns to floor beside the chosen arc, or
// a steering as it is where none is wanted or where that leads into something.
func (l *Law) glance(s *Situation, steering float64) float64 {
	left, right := s.Ground.Unseen(s.Pose, l.curvature(l.chosen.steering), glanceFrom, glanceTo, true)
	free := float32(min(l.chosen.free+glancePast, glanceTo))
	l.glances.choose(s.Pose, [2]float32{left, right}, free)
	if l.glances.side == 0 {
		return steering
	}
	to := clip(steering+float64(l.glances.side*glanceAngle), -Lock, Lock)
	k := l.curvature(to)
	if s.Ground.Sweep(s.Pose, k, glanceNear, false).Free < glanceNear || unseen(s, k, glanceNear) < min(l.dim, glanceNear) {
		return steering
	}
	return to
}

// drive counts some metres.
func (g *glances) drive(way float64) {
	g.way += way
	for i := range g.rest {
		g.rest[i] = max(0, g.rest[i]-way)
	}
}

// end ends a glance, for good until the car has gone on a little.
func (g *glances) end() {
	if g.side != 0 {
		g.rest[sideIndex(g.side)] = glanceRest
	}
	g.side, g.way, g.from = 0, 0, 0
}

// sideIndex is 0 for the left, 1 for the right.
func sideIndex(side float64) int {
	if side < 0 {
		return 1
	}
	return 0
}

// choose chooses the side: unseen are the ways before floor that nobody has seen, to the
// left and to the right, free is how far they count. A way that is free for all of it wants
// both sides though all is known: the rim of a cone tells little.
func (g *glances) choose(at ground.Pose, unseen [2]float32, free float32) {
	wants := func(i int) bool { return unseen[i] <= free && g.rest[i] == 0 }
	if g.side != 0 {
		turned := float64(g.side * exact.Wrap(float64(at.Heading)-g.from))
		switch {
		case !wants(sideIndex(g.side)):
			g.side = 0
		case g.way > glanceWay || turned > glanceTurn:
			g.end()
		}
	}
	if g.side != 0 {
		return
	}
	g.way, g.from = 0, float64(at.Heading)
	switch {
	case wants(0) && (unseen[0] <= unseen[1] || !wants(1)):
		g.side = 1
	case wants(1):
		g.side = -1
	}
}
