package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// Measures of the drawn car in m; the disc of plant.Params is what touches
// things.
const (
	wheelLong  = 0.066
	wheelWide  = 0.026
	chassisTo  = 0.135 // from the rear axle to the nose
	chassisEnd = -0.04
	halfWide   = 0.043
	bevel      = 0.02
	arrowLong  = 0.11
)

// A view is a part of the world on paper.
type view struct {
	draw.Canvas
	at    func(world.Vec) vg.Point
	scale float64 // points per metre
}

// polygon returns the closed path through world points.
func (v *view) polygon(points ...world.Vec) (p vg.Path) {
	for i, q := range points {
		if i == 0 {
			p.Move(v.at(q))
			continue
		}
		p.Line(v.at(q))
	}
	p.Close()
	return p
}

// circle returns the path of a circle, the radius in m.
func (v *view) circle(centre world.Vec, radius float64) (p vg.Path) {
	p.Move(v.at(centre.Add(world.Vec{X: radius})))
	p.Arc(v.at(centre), vg.Length(radius*v.scale), 0, 2*math.Pi)
	p.Close()
	return p
}

// fill fills a path.
func (v *view) fill(p vg.Path, shade color.Color) {
	v.SetColor(shade)
	v.Fill(p)
}

// stroke draws a path as a line of a width in points.
func (v *view) stroke(p vg.Path, width vg.Length, shade color.Color) {
	v.SetLineStyle(draw.LineStyle{Color: shade, Width: width})
	v.Stroke(p)
}

// A frame turns places of the car, m ahead of the rear axle and to its left, into
// those of the world.
type frame struct {
	origin, ahead world.Vec
}

func (f frame) place(x, y float64) world.Vec {
	return f.origin.Add(world.Vec{X: x, Y: y}.Turn(f.ahead))
}

// car draws a car at a pose, its front wheels turned by an angle in rad.
func (v *view) car(p plant.Pose, steering float64, b *plant.Params) {
	f := frame{p.At, world.Unit(p.Heading)}
	v.arrow(f)
	for _, side := range []float64{-1, 1} {
		y := side * b.Track / 2
		v.wheel(frame{f.place(0, y), f.ahead})
		v.wheel(frame{f.place(b.Wheelbase, y), world.Unit(p.Heading + steering)})
	}
	hull := v.polygon(
		f.place(chassisEnd, -halfWide), f.place(chassisTo-2*bevel, -halfWide), f.place(chassisTo, -halfWide+bevel),
		f.place(chassisTo, halfWide-bevel), f.place(chassisTo-2*bevel, halfWide), f.place(chassisEnd, halfWide))
	v.fill(hull, chassis)
	v.stroke(hull, 1, paper)
	v.fill(v.polygon(f.place(0.062, -0.03), f.place(0.1, -0.026), f.place(0.1, 0.026), f.place(0.062, 0.03)), glass)
}

// wheel draws one wheel around a frame's origin.
func (v *view) wheel(f frame) {
	const x, y = wheelLong / 2, wheelWide / 2
	v.fill(v.polygon(f.place(-x, -y), f.place(x, -y), f.place(x, y), f.place(-x, y)), tyre)
}

// arrow shows where the car heads.
func (v *view) arrow(f frame) {
	const from, to, head = chassisTo, chassisTo + arrowLong, 0.05
	var line vg.Path
	line.Move(v.at(f.place(from, 0)))
	line.Line(v.at(f.place(to-head, 0)))
	v.stroke(line, 1.8, chassis)
	v.fill(v.polygon(f.place(to, 0), f.place(to-head, head/2), f.place(to-head, -head/2)), chassis)
}
