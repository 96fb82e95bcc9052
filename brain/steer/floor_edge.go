package steer

import (
	"math"

	"fieldbrain/field/exact"
)

// A FloorEdge is a line along which the floor ends, as far as is known: at X ahead and Y left
// of the rear axle, a unit vector away, it is Far m off, and no wheel shall come past it. Seen
// along that vector it reaches from Low to High m to the left of the axle, to both sides for
// ever where both are 0.
type FloorEdge struct{ X, Y, Far, Low, High float64 }

const (
	maxFloorEdges  = 4
	floorEdgeStep  = 0.025              // m between two places that are looked at
	floorEdgeSpare = 0.005              // m by which a wheel that is past a floor edge may come farther
	squareOn       = 0.8910065241883679 // cosine of 27 deg to a floor edge: nearer to square on the bar sees it before a wheel is past it
)

// floorEdges are those of a situation; a search keeps them as they were at its beginning.
type floorEdges struct {
	lines [maxFloorEdges]FloorEdge
	n     int
	long  float64 // m, the wheelbase
	half  float64 // m from the axle's middle to a wheel
}

// take copies them.
func (b *floorEdges) take(lines []FloorEdge) {
	b.n = copy(b.lines[:], lines)
}

// A spot is a place ahead of and left of where the floor edges were taken, in m, and how far the
// car is turned against it there, in rad.
type spot struct{ x, y, turn float64 }

// free is how far the car can go from a spot on an arc of a curvature in 1/m before a wheel
// is past a floor edge, at most most m.
func (b *floorEdges) free(at spot, k, most float64, back bool) float64 {
	if b.n == 0 {
		return most
	}
	x, y := at.x, at.y
	step := floorEdgeStep
	if back {
		step = -floorEdgeStep
	}
	half := float64(step * k * 0.5)
	hc, hs := exact.Cos(half), exact.Sin(half)
	c, s := exact.Cos(at.turn), exact.Sin(at.turn)
	var past [maxFloorEdges]float64
	for i := range b.n {
		past[i] = max(b.over(i, x, y, c, s), 0) + floorEdgeSpare
	}
	for d := floorEdgeStep; d < most; d += floorEdgeStep {
		c, s = float64(c*hc)-float64(s*hs), float64(s*hc)+float64(c*hs)
		x += float64(step * c)
		y += float64(step * s)
		c, s = float64(c*hc)-float64(s*hs), float64(s*hc)+float64(c*hs)
		for i := range b.n {
			if l := &b.lines[i]; !back && float64(c*l.X)+float64(s*l.Y) > squareOn {
				continue
			}
			if b.over(i, x, y, c, s) > past[i] {
				return d - floorEdgeStep
			}
		}
	}
	return most
}

// over is how far the outermost wheel is past a floor edge, in m; negative before it.
func (b *floorEdges) over(i int, x, y, c, s float64) float64 {
	l := &b.lines[i]
	if left := float64(l.X*y) - float64(l.Y*x); l.Low != l.High && (left < l.Low || left > l.High) {
		return math.Inf(-1)
	}
	at := float64(l.X*x) + float64(l.Y*y) - l.Far
	ahead := float64(c*l.X) + float64(s*l.Y)
	aside := float64(c*l.Y) - float64(s*l.X)
	return at + max(0, float64(b.long*ahead)) + math.Abs(float64(b.half*aside))
}
