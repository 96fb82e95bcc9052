package brain

import (
	"math"

	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// ahead says how blocked the way ahead is, read off the obstacle map.
type ahead struct {
	front float64 // b: 0 free, 1 and more blocked
	lean  float64 // cells of full output of HEAD_PREF over 5..130 deg, left minus right

	near  [field.Side]float64 // how much range bin y blocks
	reach [field.Side]float64 // r_y, m
}

// Bounds of the way.
const (
	aheadReach = 35 * deg    // how far the way ahead follows the heading
	aheadWidth = 24.75 * deg // half width of the way ahead
	halfCar    = 0.13        // m: the car passes an obstacle farther to the side
	alwaysNear = 0.2         // m: an obstacle as near blocks wherever it stands
	sideFrom   = 5 * deg     // straight ahead is on no side
	sideTo     = 130 * deg
	leanLeast  = 0.1 // cells: less is no side
)

func newAhead() ahead {
	var a ahead
	for i := range field.Side {
		r := field.Range(float64(i))
		a.reach[i] = r
		a.near[i] = exact.Clip((0.8-r)/0.62, 0, 1)
	}
	return a
}

// look reads the obstacle map around the direction of travel.
func (a *ahead) look(out *field.Output, heading float64) {
	a.weigh(out)
	a.front = 0
	way := exact.Clip(heading, -aheadReach, aheadReach)
	for x := range field.Side {
		off := exact.Wrap(field.Bearing(float64(x)) - way)
		if math.Abs(off) > aheadWidth {
			continue
		}
		side := math.Abs(exact.Sin(off))
		for y, m := range out.Obstacle[x*field.Side : (x+1)*field.Side] {
			if a.reach[y]*side <= halfCar || a.reach[y] <= alwaysNear {
				a.front = max(a.front, a.near[y]*float64(m))
			}
		}
	}
}

// weigh compares left with right of what the field recalls as good ways.
func (a *ahead) weigh(out *field.Output) {
	a.lean = 0
	for x, f := range out.Marginals[field.HeadPref].X {
		psi := field.Bearing(float64(x))
		if math.Abs(psi) < sideFrom || math.Abs(psi) > sideTo {
			continue
		}
		a.lean += float64(math.Copysign(1, psi) * float64(f) / field.One)
	}
}

// leans returns to which side the field recalls to go: +1 left, -1 right, 0 neither. A
// car without beams to the sides (sides false) cannot tell one place from another by
// what it hears: there nothing recalled leads it.
func (a *ahead) leans(sides bool) float64 {
	if !sides || math.Abs(a.lean) < leanLeast {
		return 0
	}
	return math.Copysign(1, a.lean)
}
