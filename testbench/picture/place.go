package picture

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Place is a panel that shows a world before anybody drives in it, from above: what
// stands there, where the car is, and the way that it could take.
type Place struct {
	Title, Caption string
	World          *world.World
	Body           plant.Params
	Start          plant.Pose
	Way            []world.Vec // may be empty
}

// Words implements Panel.
func (p *Place) Words() string { return p.Caption }

// Draw implements Panel.
func (p *Place) Draw(c draw.Canvas, l *Letters) {
	const title = 20 // points
	c.FillText(l.Bold(medium, ink), vg.Point{X: c.Min.X, Y: c.Max.Y - medium}, p.Title)
	c.Max.Y -= title
	low, high := p.World.Min, p.World.Max
	size, room := high.Sub(low), c.Size()
	scale := min(float64(room.X)/size.X, float64(room.Y)/size.Y)
	c.Min.Y = c.Max.Y - vg.Length(scale*size.Y)
	c.Max.X = c.Min.X + vg.Length(scale*size.X)
	axes := l.Plot("", "", "")
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = low.X, high.X, low.Y, high.Y
	axes.X.Tick.Marker, axes.Y.Tick.Marker = metres(56), metres(56) // a grid of 1 m
	v := newView(c, axes)
	v.floor(p.World, axes)
	if len(p.Way) > 0 {
		v.stroke(v.through(p.Way), 2.2, goal)
	}
	v.obstacles(p.World)
	if p.World.HasGoal {
		v.mark(v.at(p.World.Goal), testbench.Goal)
	}
	v.car(p.Start, 0, &p.Body)
}
