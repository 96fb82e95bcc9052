package brain

import (
	"math"

	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// ahead says how blocked the ways ahead and behind are, read off the obstacle map.
type ahead struct {
	front float64 // b: 0 free, 1 and more blocked
	rear  float64 // b_rear
	sides float64 // sum of O over 5..130 deg left minus right

	lean float64 // sum of the heading's input besides the obstacles, likewise

	repel     float64             // gain of obstacles in the heading's input
	near, far [field.Side]float64 // how much range bin y blocks ahead and behind
	reach     [field.Side]float64 // r_y, m
}

// Bounds of the way.
const (
	aheadReach  = 35 * deg    // how far the way ahead follows the heading
	aheadWidth  = 24.75 * deg // half width of the way ahead
	behindWidth = 35 * deg    // half width of the way behind
	halfCar     = 0.13        // m: the car passes an obstacle farther to the side
	alwaysNear  = 0.2         // m: an obstacle as near blocks wherever it stands
	sideFrom    = 5 * deg     // an obstacle straight ahead is on no side
	sideTo      = 130 * deg
)

func newAhead() ahead {
	a := ahead{repel: float64(field.DefaultHeading().Repel)}
	for i := range field.Side {
		r := field.Range(float64(i))
		a.reach[i] = r
		a.near[i] = clip((0.8-r)/0.62, 0, 1)
		a.far[i] = clip((0.35-r)/0.15, 0, 1)
	}
	return a
}

// look reads the obstacle map around the direction of travel and behind.
func (a *ahead) look(out *field.Output, heading float64) {
	a.weigh(out)
	a.front, a.rear = 0, 0
	way := clip(heading, -aheadReach, aheadReach)
	for x := range field.Side {
		psi := field.Bearing(float64(x))
		off := exact.Wrap(psi - way)
		ahead := math.Abs(off) <= aheadWidth
		behind := math.Abs(exact.Wrap(psi-math.Pi)) <= behindWidth
		if !ahead && !behind {
			continue
		}
		side := math.Abs(exact.Sin(off))
		for y, m := range out.Obstacle[x*field.Side : (x+1)*field.Side] {
			if ahead && (a.reach[y]*side <= halfCar || a.reach[y] <= alwaysNear) {
				a.front = max(a.front, a.near[y]*float64(m))
			}
			if behind {
				a.rear = max(a.rear, a.far[y]*float64(m))
			}
		}
	}
}

// weigh compares left with right: the obstacles there, and what else draws the
// heading there.
func (a *ahead) weigh(out *field.Output) {
	a.sides, a.lean = 0, 0
	for x := range field.Side {
		psi := field.Bearing(float64(x))
		if math.Abs(psi) < sideFrom || math.Abs(psi) > sideTo {
			continue
		}
		if psi > 0 {
			a.sides += float64(out.Blocked[x])
			a.lean += float64(out.Heading[x])
		} else {
			a.sides -= float64(out.Blocked[x])
			a.lean -= float64(out.Heading[x])
		}
	}
	a.lean += float64(a.repel * a.sides)
}
