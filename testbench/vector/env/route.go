package env

import (
	"math"

	"fieldbrain/testbench/world"
)

// A route is a line on the floor as a way round: its pieces in turn, gaps bridged by
// straight lines, and back to the beginning.
type route struct {
	points []world.Vec // corners; an edge goes from each to the next, the last to the first
	begins []float64   // m along the route where each edge begins
	length float64     // m
}

// newRoute joins the pieces of a line.
func newRoute(lines []world.Line) *route {
	r := &route{}
	for i := range lines {
		for _, p := range lines[i].Points {
			if n := len(r.points); n == 0 || r.points[n-1] != p {
				r.points = append(r.points, p)
			}
		}
	}
	if n := len(r.points); n > 1 && r.points[0] == r.points[n-1] {
		r.points = r.points[:n-1]
	}
	for i := range r.points {
		r.begins = append(r.begins, r.length)
		r.length += r.edge(i).Norm()
	}
	return r
}

// edge returns the vector of an edge.
func (r *route) edge(i int) world.Vec { return r.points[r.next(i)].Sub(r.points[i]) }

func (r *route) next(i int) int {
	if i+1 == len(r.points) {
		return 0
	}
	return i + 1
}

func (r *route) before(i int) int {
	if i == 0 {
		return len(r.points) - 1
	}
	return i - 1
}

// A footing is the place of a route that is nearest to a point.
type footing struct {
	edge  int
	along float64 // m along the route
	away2 float64 // m2, squared distance
}

// try makes the nearest place of an edge the footing where it is nearer.
func (r *route) try(f *footing, i int, q world.Vec) {
	d, w := r.edge(i), q.Sub(r.points[i])
	t := 0.0
	if l := d.Dot(d); l > 0 {
		t = min(max(w.Dot(d)/l, 0), 1)
	}
	v := w.Sub(d.Scale(t))
	if away2 := v.Dot(v); away2 < f.away2 {
		*f = footing{i, r.begins[i] + float64(t*d.Norm()), away2}
	}
}

// find looks at the whole route.
func (r *route) find(q world.Vec) footing {
	f := footing{away2: math.Inf(1)}
	for i := range r.points {
		r.try(&f, i, q)
	}
	return f
}

// follow looks at the edges within reach metres of the last footing, to both sides:
// farther the point cannot have come.
func (r *route) follow(last footing, q world.Vec, reach float64) footing {
	f := footing{away2: math.Inf(1)}
	r.try(&f, last.edge, q)
	for i, way := r.next(last.edge), 0.0; way < reach && i != last.edge; i = r.next(i) {
		r.try(&f, i, q)
		way += r.edge(i).Norm()
	}
	for i, way := r.before(last.edge), 0.0; way < reach && i != last.edge; i = r.before(i) {
		r.try(&f, i, q)
		way += r.edge(i).Norm()
	}
	return f
}

// between returns how far it is along the route from one place to another, forwards
// or, as a negative number, backwards, whichever is less.
func (r *route) between(from, to float64) float64 {
	d := to - from
	switch {
	case d > r.length/2:
		return d - r.length
	case d < -r.length/2:
		return d + r.length
	}
	return d
}
