package steer

import (
	"math"

	"fieldbrain/field/exact"
)

// Beams is how many sonars look ahead and to the sides: the front's first, then a left and
// a right one in turn, outwards.
const Beams = 5

// An Echo is what one of the beams hears now.
type Echo struct {
	Bearing float64 // rad from the heading, positive left
	Range   float64 // m from the sonars' face; 0 for nothing
	Known   bool    // the beam said so lately
	About   bool    // somebody was heard to come there moments ago
}

// The map's cells are as coarse as what is left beside somebody who has stopped right before
// the car. How near he is the beams know better: the car, whose wheels turn away from him,
// touched him with its flank (docs/decisions/0053).
const (
	touchNear  = 0.08  // m that a beam hears of who came, and less, count
	touchStep  = 0.01  // m of an arc from place to place
	touchSteps = 7     // places
	touchGap   = 0.002 // m between the body and an echo that are none
)

// spare is how far an arc of a curvature in 1/m goes, in m, before the body touches whom a
// beam hears right before it, where it comes nearer to him; horizon where it does not.
func (l *Law) spare(s *Situation, curvature float64) float64 {
	way := float64(horizon)
	if !s.Sides {
		return way
	}
	for i := range s.Echoes {
		if e := &s.Echoes[i]; e.About && e.Range > 0 && e.Range < touchNear {
			way = min(way, l.touches(s, e, curvature))
		}
	}
	return way
}

// fits is the disc that must fit through on a line: the body with half its margin.
const fits = 2

// Clear is how far ahead the body goes in m, up to 0.70, on the arc that the wheels are on
// and on one of a curvature in 1/m, with half its margin, and past whom a beam hears right
// before it.
func (l *Law) Clear(s *Situation, curvature float64) float64 {
	way := float64(horizon)
	for _, k := range [...]float64{float64(l.curvature(s.Wheels)), curvature} {
		sweep := s.Ground.Sweep(s.Pose, float32(k), horizon, false)
		way = min(way, float64(sweep.Ways[fits]), l.spare(s, k))
	}
	return way
}

// touches is how far the arc goes before it touches one echo.
func (l *Law) touches(s *Situation, e *Echo, curvature float64) float64 {
	body := s.Ground.Body()
	ahead, radius := float64(body.Ahead), float64(body.Radius)
	x := l.body.Lead + float64(e.Range*exact.Cos(e.Bearing))
	y := float64(e.Range * exact.Sin(e.Bearing))
	half := float64(0.5 * float64(touchStep*curvature))
	dc, ds := exact.Cos(half), exact.Sin(half)
	c, n, ax, ay := 1.0, 0.0, 0.0, 0.0 // heading and place of the axle
	now := reach(x-ahead, y)
	for k := range touchSteps {
		c, n = float64(c*dc)-float64(n*ds), float64(n*dc)+float64(c*ds)
		ax, ay = ax+float64(touchStep*c), ay+float64(touchStep*n)
		c, n = float64(c*dc)-float64(n*ds), float64(n*dc)+float64(c*ds)
		gap := reach(x-ax-float64(ahead*c), y-ay-float64(ahead*n))
		if gap < radius+touchGap && gap < now {
			return touchStep * float64(k)
		}
	}
	return horizon
}

func reach(dx, dy float64) float64 { return math.Sqrt(float64(dx*dx) + float64(dy*dy)) }

// pressed reports whether the car would touch somebody with its wheels at either lock and
// straight: it goes back first.
func (l *Law) pressed(s *Situation) bool {
	for _, steering := range [...]float64{-l.body.Lock, 0, l.body.Lock} {
		if l.spare(s, float64(l.curvature(steering))) == horizon {
			return false
		}
	}
	return true
}
