package table

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// Retract takes back what the wheels turned in vain between two poses of the odometry,
// where something held the car. That may have turned it, too.
func (t *Map) Retract(from, to ground.Pose) {
	if !t.known {
		return
	}
	turn := exact.Wrap(float64(to.Heading) - float64(from.Heading))
	dx, dy := float64(to.X)-float64(from.X), float64(to.Y)-float64(from.Y)
	t.heading = exact.Wrap(t.heading - float64((1+t.scale)*turn))
	t.turned -= turn
	c, s := exact.Cos(t.heading-float64(from.Heading)), exact.Sin(t.heading-float64(from.Heading))
	t.x -= float64(dx*c) - float64(dy*s)
	t.y -= float64(dx*s) + float64(dy*c)
	t.fromX, t.fromY = t.x, t.y
	t.doubt = min(t.doubt+ground.HeldTurn*ground.HeldTurn, doubtMost)
}

// lasts is the way without an edge, in m, after which the car is on no table. Where more than
// one side was met it keeps to the middle of one sooner than that it left it. One side alone is
// believed for as long where five beams hear the walls that say where it is.
func (t *Map) lasts() float64 {
	if met, q := t.count(); met > 1 || met == 1 && t.anchored(q) {
		return lastsMore
	}
	return lastsOne
}

// count is how many sides were met, and one of them.
func (t *Map) count() (met, one int) {
	for i := range t.sides {
		if t.sides[i].met {
			met++
			one = i
		}
	}
	return met, one
}

// anchored reports whether the walls say where a side is: their echoes keep the place along its
// direction within a floor edge's margin, and the heading was put right since the last turn.
func (t *Map) anchored(q int) bool {
	return t.five && t.spread[q&1] < anchorSpread && math.Abs(t.turned) < anchorTurn
}
