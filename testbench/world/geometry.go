package world

import (
	"math"

	"fieldbrain/field/exact"
)

// A Vec is a point or a direction in the plane, in metres.
type Vec struct{ X, Y float64 }

// Add returns a + b. The conversions keep a product in an argument, once Add is
// inlined, from being fused with the sum.
func (a Vec) Add(b Vec) Vec {
	return Vec{float64(a.X) + float64(b.X), float64(a.Y) + float64(b.Y)}
}

// Sub returns a - b.
func (a Vec) Sub(b Vec) Vec {
	return Vec{float64(a.X) - float64(b.X), float64(a.Y) - float64(b.Y)}
}

// Scale returns k a.
func (a Vec) Scale(k float64) Vec { return Vec{float64(k * a.X), float64(k * a.Y)} }

// Dot returns the scalar product.
func (a Vec) Dot(b Vec) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) }

// Cross returns the z component of the vector product: positive when b points
// to the left of a.
func (a Vec) Cross(b Vec) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }

// Norm returns the length.
func (a Vec) Norm() float64 { return math.Sqrt(a.Dot(a)) }

// Turn returns a rotated by the angle whose unit vector is u.
func (a Vec) Turn(u Vec) Vec {
	return Vec{float64(a.X*u.X) - float64(a.Y*u.Y), float64(a.X*u.Y) + float64(a.Y*u.X)}
}

// Unit returns the direction at an angle in radians, counter-clockwise from x.
func Unit(angle float64) Vec { return Vec{exact.Cos(angle), exact.Sin(angle)} }

// A Segment is a straight piece of wall or line.
type Segment struct {
	A, B    Vec
	Surface *Surface // what sound does there; nil is hard and rough
}

// Distance returns how far p is from the segment.
func (s Segment) Distance(p Vec) float64 {
	d, w := s.B.Sub(s.A), p.Sub(s.A)
	t := 0.0
	if l := d.Dot(d); l > 0 {
		t = min(max(w.Dot(d)/l, 0), 1)
	}
	return w.Sub(d.Scale(t)).Norm()
}

// Ray returns the distance from origin along the unit vector u to the segment
// and the cosine of the angle between the ray and the segment's normal, or +Inf
// when the ray misses. The ray misses a segment seen end-on.
func (s Segment) Ray(origin, u Vec) (distance, incidence float64) {
	d, w := s.B.Sub(s.A), s.A.Sub(origin)
	den := u.Cross(d)
	if den == 0 {
		return math.Inf(1), 0
	}
	along, at := w.Cross(d)/den, w.Cross(u)/den
	if along < 0 || at < 0 || at > 1 {
		return math.Inf(1), 0
	}
	return along, math.Abs(den) / d.Norm()
}

// A Disc is a round obstacle: a table leg, a bottle, a shoe.
type Disc struct {
	Centre  Vec
	Radius  float64  // m
	Surface *Surface // what sound does there; nil is hard and rough
}

// Distance returns how far p is from the disc's rim, negative inside.
func (c Disc) Distance(p Vec) float64 { return p.Sub(c.Centre).Norm() - c.Radius }

// Ray returns what Segment.Ray returns. From inside, the distance is 0.
func (c Disc) Ray(origin, u Vec) (distance, incidence float64) {
	w := c.Centre.Sub(origin)
	along, across := w.Dot(u), w.Cross(u)
	half := float64(c.Radius*c.Radius) - float64(across*across) // squared half chord
	if half < 0 {
		return math.Inf(1), 0
	}
	near := along - math.Sqrt(half)
	if near < 0 {
		if w.Norm() < c.Radius {
			return 0, 1
		}
		return math.Inf(1), 0 // behind the origin
	}
	return near, math.Sqrt(half) / c.Radius
}

// Inside reports whether p lies in the polygon (even-odd rule).
func Inside(polygon []Vec, p Vec) bool {
	in := false
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if (a.Y > p.Y) == (b.Y > p.Y) {
			continue
		}
		if p.X < a.X+float64((b.X-a.X)*((p.Y-a.Y)/(b.Y-a.Y))) {
			in = !in
		}
	}
	return in
}
