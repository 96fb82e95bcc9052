package world

import (
	"math"
	"time"
)

// A Mover is a disc that walks along a closed path at a constant speed. It
// waits while its next step would touch the car, as a person would.
type Mover struct {
	Path    []Vec    // corners, walked in turn and round again; at least two
	Radius  float64  // m
	Speed   float64  // m/s
	Surface *Surface // what sound does there; nil is hard and rough

	leg  int     // index of the corner it comes from
	done float64 // m walked on this leg
}

// Disc returns where the mover is now.
func (m *Mover) Disc() Disc { return m.at(m.leg, m.done) }

// Way returns the number of the corner it comes from and the metres it has walked
// since.
func (m *Mover) Way() (leg, done float64) { return float64(m.leg), m.done }

func (m *Mover) at(leg int, done float64) Disc {
	a, b := m.Path[leg], m.Path[(leg+1)%len(m.Path)]
	d := b.Sub(a)
	if l := d.Norm(); l > 0 {
		a = a.Add(d.Scale(done / l))
	}
	return Disc{Centre: a, Radius: m.Radius, Surface: m.Surface}
}

// walk returns where the mover is a way later, past as many corners as that takes. A
// way longer than the whole path ends at the corner where it began.
func (m *Mover) walk(way float64) (leg int, done float64) {
	leg, done = m.leg, m.done+way
	for range m.Path {
		length := m.Path[(leg+1)%len(m.Path)].Sub(m.Path[leg]).Norm()
		if done < length {
			return leg, done
		}
		leg, done = (leg+1)%len(m.Path), done-length
	}
	return leg, 0
}

// A World is everything around the car. It is changed only by Step; all other
// methods may be called at any time between steps.
type World struct {
	Walls  []Segment
	Discs  []Disc
	Movers []Mover
	Floor  Floor

	Goal    Vec  // the beacon's place
	HasGoal bool // whether there is one

	Min, Max Vec // corners of the region a picture shows and coverage counts
}

// Reach is how far Ray looks: beyond the HC-SR04's 4 m.
const Reach = 10.0

// Step moves the movers on by dt. A mover stays where it is while its next
// place is within margin of the disc body.
func (w *World) Step(dt time.Duration, body Disc, margin float64) {
	for i := range w.Movers {
		m := &w.Movers[i]
		leg, done := m.walk(float64(m.Speed * dt.Seconds()))
		next := m.at(leg, done)
		gap := next.Distance(body.Centre) - body.Radius
		if gap < margin && gap < m.Disc().Distance(body.Centre)-body.Radius {
			continue
		}
		m.leg, m.done = leg, done
	}
}

// Ray returns the distance along the unit vector u to the nearest surface and
// the cosine of the incidence angle there, or +Inf when nothing is in Reach.
func (w *World) Ray(origin, u Vec) (distance, incidence float64) {
	hit := w.Meet(origin, u)
	return hit.Distance, hit.Incidence
}

// Meet returns what a ray from origin along the unit vector u meets first, at
// distance +Inf when nothing is in Reach.
func (w *World) Meet(origin, u Vec) Hit {
	hit := Hit{Distance: math.Inf(1)}
	for i := range w.Walls {
		if d, c := w.Walls[i].Ray(origin, u); d < hit.Distance {
			hit = Hit{d, c, w.Walls[i].Surface}
		}
	}
	for i := range w.Discs {
		if d, c := w.Discs[i].Ray(origin, u); d < hit.Distance {
			hit = Hit{d, c, w.Discs[i].Surface}
		}
	}
	for i := range w.Movers {
		if d, c := w.Movers[i].Disc().Ray(origin, u); d < hit.Distance {
			hit = Hit{d, c, w.Movers[i].Surface}
		}
	}
	if hit.Distance > Reach {
		return Hit{Distance: math.Inf(1)}
	}
	return hit
}

// Distance returns how far p is from the nearest surface, negative inside an
// obstacle, +Inf in an empty world.
func (w *World) Distance(p Vec) float64 {
	d := math.Inf(1)
	for i := range w.Walls {
		d = min(d, w.Walls[i].Distance(p))
	}
	for i := range w.Discs {
		d = min(d, w.Discs[i].Distance(p))
	}
	for i := range w.Movers {
		d = min(d, w.Movers[i].Disc().Distance(p))
	}
	return d
}

// Room returns the four walls of a rectangle.
func Room(low, high Vec) []Segment {
	a, b, c, d := low, Vec{high.X, low.Y}, high, Vec{low.X, high.Y}
	return []Segment{{A: a, B: b}, {A: b, B: c}, {A: c, B: d}, {A: d, B: a}}
}

// Box returns the four sides of a rectangle of the given size, turned by angle
// radians about its centre.
func Box(centre, size Vec, angle float64) []Segment {
	u := Unit(angle)
	var corner [4]Vec
	for i, s := range [4]Vec{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		corner[i] = centre.Add(Vec{s.X * size.X / 2, s.Y * size.Y / 2}.Turn(u))
	}
	sides := make([]Segment, 4)
	for i := range sides {
		sides[i] = Segment{A: corner[i], B: corner[(i+1)%4]}
	}
	return sides
}
