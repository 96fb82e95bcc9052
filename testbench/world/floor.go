package world

import (
	"math"

	"fieldbrain/field/exact"
)

// A Line is tape on the floor: a polyline with a width.
type Line struct {
	Points []Vec
	Width  float64 // m
}

// Distance returns how far p is from the line's middle.
func (l *Line) Distance(p Vec) float64 {
	d := math.Inf(1)
	for i := 1; i < len(l.Points); i++ {
		d = min(d, Segment{A: l.Points[i-1], B: l.Points[i]}.Distance(p))
	}
	return d
}

// A Floor is what the reflectance sensors look down on. Reflectances are in
// ADC counts of an ideal sensor (docs/hardware.md 2.8: white paper 1200..2500,
// wooden floor 700..1500, black tape 150..500, no floor 20..150).
type Floor struct {
	Background float64
	Tape       float64
	Void       float64 // beyond a table's edge
	Lines      []Line
	Table      []Vec // polygon that carries the car; none means floor everywhere
}

// spot is the diameter of the patch one sensor sees: it blurs every edge.
const spot = 0.006 // m

// Reflectance returns what an ideal sensor over p reads, in counts.
func (f *Floor) Reflectance(p Vec) float64 {
	if f.Past(p) {
		return f.Void
	}
	covered := 0.0
	for i := range f.Lines {
		l := &f.Lines[i]
		edge := (float64(l.Width/2) - l.Distance(p)) / spot // -0.5 beside the tape, 0.5 on it
		covered = max(covered, min(max(edge+0.5, 0), 1))
	}
	return f.Background + float64((f.Tape-f.Background)*covered)
}

// Past reports whether p is beyond the edge of the table.
func (f *Floor) Past(p Vec) bool { return len(f.Table) > 0 && !Inside(f.Table, p) }

// Area returns the size of the table in m2, 0 without one.
func (f *Floor) Area() float64 {
	twice := 0.0
	for i, a := range f.Table {
		twice += a.Cross(f.Table[(i+1)%len(f.Table)])
	}
	return math.Abs(twice) / 2
}

// LineDistance returns how far p is from the middle of the nearest line, +Inf
// without lines.
func (f *Floor) LineDistance(p Vec) float64 {
	d := math.Inf(1)
	for i := range f.Lines {
		d = min(d, f.Lines[i].Distance(p))
	}
	return d
}

// Oval returns the closed middle line of a stadium: two straights of the given
// length joined by half circles, centred on centre, first point at the start
// of the lower straight.
func Oval(centre Vec, straight, radius float64) []Vec {
	const steps = 48 // chords of a half circle: within 0.6 mm of a 0.6 m arc
	points := []Vec{centre.Add(Vec{-straight / 2, -radius})}
	for side := range 2 {
		end := centre.Add(Vec{float64(straight/2) - float64(float64(side)*straight), 0})
		for i := range steps + 1 {
			turn := math.Pi * (float64(side) - 0.5 + float64(float64(i)/steps))
			points = append(points, end.Add(Vec{
				radius * exact.Cos(turn), radius * exact.Sin(turn),
			}))
		}
	}
	return append(points, points[0])
}
