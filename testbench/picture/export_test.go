package picture

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench"
	"fieldbrain/testbench/world"
)

// Pixel returns which pixel of a run's picture shows a point of the world.
func Pixel(r *testbench.Result, p Params, at world.Vec) (x, y int) {
	d := newDrawing(r, p)
	paper := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: d.width, Y: d.height}}}
	q := newView(d.plot.DataCanvas(d.area(paper)), d.plot).at(at)
	return int(q.X), int(d.height - q.Y)
}

// Scales returns the colours of every scale, the lowest value's first.
func Scales() map[string][]color.Color {
	s := newStage(Animation{}, &testbench.Result{Track: &testbench.Track{World: &world.World{Max: world.Vec{X: 1, Y: 1}}}}, nil)
	speed, time, heat := speeds(1), times(1), heats(0, 1, true)
	return map[string][]color.Color{"speeds": speed.colours, "times": time.colours, "heats": heat.colours, "outputs": s.heat.colours}
}

// Frames returns what draws the frame of a sample of a recorded drive.
func Frames(r *Recorded) func(i int) *image.RGBA { return newSketch(r).frame }
