package steer

import "fieldbrain/brain/ground"

// A task that only hints, to floor that was not seen, jumps from one side to the other as
// the nose of a car with one beam swings and sees more, and falls silent where a way ahead
// is seen. A manoeuvre that heeded every jump swung to and fro in a dead end and left it for
// the next wall. It keeps to the hint that it began with, but where a long way is known,
// which needs no hint: along a corridor the car drives on.
const longExit = 1.0 // m of way known free: with one as long an exit may lie anywhere

// hinted reports whether the task only hints, and one beam alone looks where.
func (s *Situation) hinted() bool {
	return !s.Sides && s.Carried == nil && s.Urge >= draws && s.Urge < urgent
}

// heed is the share that counts of what it costs to drive off beside the aim: all of it but
// for a hint, and the less of that the longer the way that is known.
func (q *search) heed(g *ground.Grid, n *node, bend float64) float64 {
	if !q.hinted {
		return 1
	}
	w := g.Sweep(ground.Pose{X: n.x, Y: n.y, Heading: n.turn}, float32(bend), longExit, false)
	known := float64(float64(w.Free) * (1 - float64(w.Blind)))
	return clip((longExit-known)/(longExit-exitWay), 0, 1)
}
