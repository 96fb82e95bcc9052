package family

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/world"
)

// What a polygon of tape is like.
const (
	sideLeast   = 0.5  // m, from one corner to the next
	turnMost    = 120  // deg, at a corner: what a triangle has
	aloof       = 0.3  // m between sides that do not meet: the car must not change over
	cornersLost = 4.0  // s: 0.52 m at full lock to a leg that turned by 120 deg, and back onto it
	cornersOff  = 0.08 // m, root mean square: at most 0.18 m beside the line for some decimetres
)

// drawCorners is a line taped in straight pieces: a closed polygon of three to six sides,
// which may bend to either side, driven from the middle of one of them.
func drawCorners(d *draft) {
	points := d.polygon()
	for n := 0; n < 1000 && !taped(points); n++ {
		points = d.polygon()
	}
	first := points[0].Add(points[1]).Scale(0.5)
	d.lay(append(append([]world.Vec{first}, points[1:]...), points[0]), 0)
	d.Brain.Cruise, d.corners = 0.20, true
}

// polygon draws corners around a middle, some of them far nearer to it than others.
func (d *draft) polygon() []world.Vec {
	points := make([]world.Vec, d.whole(3, 6))
	begin, sense := d.dice.Between(-math.Pi, math.Pi), d.one(-1, 1)
	for i := range points {
		turn := (float64(i) + d.dice.Between(-0.25, 0.25)) / float64(len(points))
		points[i] = world.Unit(begin + float64(sense*float64(2*math.Pi*turn))).Scale(d.dice.Between(0.5, 1.2))
	}
	return points
}

// taped reports whether a car can follow a polygon: its sides are long enough, its corners
// blunt enough, and none comes near one that it does not meet.
func taped(p []world.Vec) bool {
	n := len(p)
	for i := range p {
		in, out := p[i].Sub(p[(i+n-1)%n]), p[(i+1)%n].Sub(p[i])
		if out.Norm() < sideLeast || math.Abs(exact.Atan2(in.Cross(out), in.Dot(out))) > turnMost*math.Pi/180 {
			return false
		}
		for j := i + 2; j < n && (j+1)%n != i; j++ {
			other := world.Segment{A: p[j], B: p[(j+1)%n]}
			if other.Distance(p[i]) < aloof || other.Distance(p[(i+1)%n]) < aloof {
				return false
			}
			side := world.Segment{A: p[i], B: p[(i+1)%n]}
			if side.Distance(other.A) < aloof || side.Distance(other.B) < aloof {
				return false
			}
		}
	}
	return true
}
