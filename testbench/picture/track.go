package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench"
	"fieldbrain/testbench/world"
)

// A track draws a run into a plot.
type track struct{ *drawing }

// DataRange implements plot.DataRanger.
func (t *track) DataRange() (xmin, xmax, ymin, ymax float64) {
	return t.low.X, t.high.X, t.low.Y, t.high.Y
}

// Plot implements plot.Plotter.
func (t *track) Plot(c draw.Canvas, p *plot.Plot) {
	v := newView(c, p)
	run := t.run.Track
	v.floor(run.World, p)
	v.obstacles(run.World)
	v.way(run, t.params, &t.shades)
	for _, e := range run.Events {
		if e.Kind != testbench.Goal { // the star stands where the goal is
			v.mark(v.at(e.Place), e.Kind)
		}
	}
	if run.World.HasGoal {
		v.mark(v.at(run.World.Goal), testbench.Goal)
	}
	if n := len(run.Trail); n > 0 {
		v.car(run.Trail[n-1].Pose, 0, &run.Body)
	}
}

// newView returns the world as a plot's axes show it.
func newView(c draw.Canvas, p *plot.Plot) *view {
	x, y := p.Transforms(&c)
	return &view{
		Canvas: c, at: func(v world.Vec) vg.Point { return vg.Point{X: x(v.X), Y: y(v.Y)} },
		scale: float64((x(p.X.Max) - x(p.X.Min)) / vg.Length(p.X.Max-p.X.Min)),
	}
}

// floor paints the ground with a grid at the axes' marks, a table's edge and tape.
func (v *view) floor(w *world.World, p *plot.Plot) {
	region := v.polygon(w.Min, world.Vec{X: w.Max.X, Y: w.Min.Y}, w.Max, world.Vec{X: w.Min.X, Y: w.Max.Y})
	if len(w.Floor.Table) == 0 {
		v.fill(region, ground)
	} else {
		v.fill(region, void)
		v.fill(v.polygon(w.Floor.Table...), ground)
	}
	for _, t := range p.X.Tick.Marker.Ticks(w.Min.X, w.Max.X) {
		v.line(world.Vec{X: t.Value, Y: w.Min.Y}, world.Vec{X: t.Value, Y: w.Max.Y})
	}
	for _, t := range p.Y.Tick.Marker.Ticks(w.Min.Y, w.Max.Y) {
		v.line(world.Vec{X: w.Min.X, Y: t.Value}, world.Vec{X: w.Max.X, Y: t.Value})
	}
	for i := range w.Floor.Lines {
		l := &w.Floor.Lines[i]
		v.stroke(v.through(l.Points), vg.Length(max(l.Width*v.scale, 1)), tape)
	}
}

// line draws a line of the grid.
func (v *view) line(a, b world.Vec) { v.stroke(v.through([]world.Vec{a, b}), 0.7, grid) }

// through returns the open path through world points.
func (v *view) through(points []world.Vec) (p vg.Path) {
	for i, q := range points {
		if i == 0 {
			p.Move(v.at(q))
			continue
		}
		p.Line(v.at(q))
	}
	return p
}

// obstacles draws discs, movers with their paths, and walls.
func (v *view) obstacles(w *world.World) {
	for _, d := range w.Discs {
		v.fill(v.circle(d.Centre, d.Radius), obstacle)
		v.stroke(v.circle(d.Centre, d.Radius), 1.2, rim(d.Surface))
	}
	for i := range w.Movers {
		m := &w.Movers[i]
		v.stroke(v.polygon(m.Path...), 1, mover)
		d := m.Disc()
		v.fill(v.circle(d.Centre, d.Radius), mover)
	}
	for _, s := range w.Walls {
		v.stroke(v.through([]world.Vec{s.A, s.B}), 3, rim(s.Surface))
	}
}

// rim returns the colour of an obstacle's outline, by what it does to sound.
func rim(s *world.Surface) color.NRGBA {
	switch {
	case s == nil:
		return ink
	case s.Specular > 0:
		return pane
	}
	return curtain
}

// backwards is how slow a car is that counts as rolling back, as a share of the
// top speed.
const backwards = -0.02

// way draws the middle of the body, coloured, and its start.
func (v *view) way(t *testbench.Track, p Params, s *scale) {
	if len(t.Trail) == 0 {
		return
	}
	top := topSpeed(t)
	shade := func(i int) int {
		switch {
		case p.ByTime:
			return s.index(t.Trail[i].At.Seconds())
		case t.Trail[i].Speed < backwards*top:
			return -1
		}
		return s.index(t.Trail[i].Speed)
	}
	points := []world.Vec{middle(t, 0)}
	for i := 1; i < len(t.Trail); i++ { // one path per stretch of one colour
		points = append(points, middle(t, i))
		if i+1 < len(t.Trail) && shade(i+1) == shade(i) {
			continue
		}
		if k := shade(i); k < 0 {
			v.stroke(v.through(points), 2.6, fault)
		} else {
			v.stroke(v.through(points), 2.6, s.colours[k])
		}
		points = points[len(points)-2:] // the next stretch covers the seam
	}
	begin(v.Canvas, v.at(middle(t, 0)))
}

// middle returns where the middle of the body was at a point of the trail.
func middle(t *testbench.Track, i int) world.Vec {
	q := &t.Trail[i].Pose
	return q.At.Add(world.Unit(q.Heading).Scale(t.Body.BodyAhead))
}

// topSpeed returns the largest speed of a run, in m/s; a slower run than 0.05
// would be all one colour otherwise.
func topSpeed(t *testbench.Track) float64 {
	top := 0.05
	for i := range t.Trail {
		top = max(top, math.Abs(t.Trail[i].Speed))
	}
	return top
}
