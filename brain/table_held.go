package brain

import (
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// retract takes back what the wheels turned in vain between two poses of the odometry,
// where something held the car. That may have turned it, too.
func (t *table) retract(from, to ground.Pose) {
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
	t.doubt = min(t.doubt+heldTurn*heldTurn, doubtMost)
}

// lasts is the way without an edge, in m, after which the car is on no table. Where more than
// one side was met it keeps to the middle of one sooner than that it left it.
func (t *table) lasts() float64 {
	met := 0
	for i := range t.sides {
		if t.sides[i].met {
			met++
		}
	}
	if met > 1 {
		return tableSure
	}
	return tableLasts
}
