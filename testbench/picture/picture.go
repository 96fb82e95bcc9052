package picture

import (
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench"
	"fieldbrain/testbench/world"
)

// Params say how a picture looks.
type Params struct {
	Width  int  // px of the region's longer side, axes and legend not counted
	ByTime bool // colour the way by time instead of by speed
}

// Default returns a picture 1000 pixels wide, coloured by speed.
func Default() Params { return Params{Width: 1000} }

// Margins of a run's picture in points.
const (
	side     = 14
	above    = 58  // title and summary
	below    = 56  // colour bar
	narrow   = 520 // the title needs as much
	lineHigh = 22  // of the events' legend
)

// PNG writes Write's picture as PNG.
func PNG(w io.Writer, r *testbench.Result, p Params) error { return Write(w, "png", r, p) }

// Write draws the run in one of Formats. The result must come from Run or
// Rig.Result in this process: its JSON form has no track.
func Write(w io.Writer, format string, r *testbench.Result, p Params) error {
	if r.Track == nil {
		return errors.New("picture: the run has no track to draw")
	}
	d := newDrawing(r, p)
	return export(w, format, d.width, d.height, d.paint)
}

// A drawing is a run and where its parts go on the paper.
type drawing struct {
	*Letters
	run           *testbench.Result
	params        Params
	plot          *plot.Plot
	shades        scale
	low, high     world.Vec // corners of the region shown
	width, height vg.Length // of the paper
	tall          vg.Length // of the plot with its axes
	legend        []entry
}

func newDrawing(r *testbench.Result, p Params) *drawing {
	d := &drawing{Letters: NewLetters(), run: r, params: p}
	t := r.Track
	d.low, d.high = t.World.Min, t.World.Max
	for i := range t.Trail { // the way may leave the region
		at := t.Trail[i].Pose.At
		d.low = world.Vec{X: min(d.low.X, at.X-0.1), Y: min(d.low.Y, at.Y-0.1)}
		d.high = world.Vec{X: max(d.high.X, at.X+0.1), Y: max(d.high.Y, at.Y+0.1)}
	}
	d.shades = speeds(topSpeed(t))
	if p.ByTime && len(t.Trail) > 0 {
		d.shades = times(max(t.Trail[len(t.Trail)-1].At.Seconds(), 0.1))
	}
	size := d.high.Sub(d.low)
	perMetre := float64(max(p.Width, 100)) / max(size.X, size.Y, 0.1)
	d.plot = d.Plot("", "x (m)", "y (m)")
	d.plot.X.Tick.Marker, d.plot.Y.Tick.Marker = metres(perMetre), metres(perMetre)
	d.plot.Add(&track{d})
	wide, tall := framed(d.plot, vg.Length(size.X*perMetre), vg.Length(size.Y*perMetre))
	d.tall = tall
	d.width = max(wide, narrow) + 2*side
	d.legend = d.entries()
	d.height = above + tall + below + d.place(d.legend)
	return d
}

// framed returns how large a plot is with its axes when the region is to have the
// given size.
func framed(p *plot.Plot, wide, tall vg.Length) (w, h vg.Length) {
	const large = 4000 // the axes take the same of every paper
	inner := p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: large, Y: large}}}).Size()
	return wide + large - inner.X, tall + large - inner.Y
}

// paint draws everything.
func (d *drawing) paint(c draw.Canvas) {
	d.title(c)
	framed := d.area(c)
	d.plot.Draw(framed)
	d.bar(draw.Crop(c, side, -side, 0, 0), framed.Min.Y)
	d.events(c, framed.Min.Y-below)
}

// area is where the plot with its axes goes.
func (d *drawing) area(c draw.Canvas) draw.Canvas {
	c = draw.Crop(c, side, -side, 0, 0)
	c.Max.Y -= above
	c.Min.Y = c.Max.Y - d.tall
	region := d.high.Sub(d.low)
	wide, _ := framed(d.plot, d.plot.DataCanvas(c).Size().Y*vg.Length(region.X/region.Y), 0)
	c.Max.X = min(c.Max.X, c.Min.X+wide)
	return c
}

// title writes what ran and how it went.
func (d *drawing) title(c draw.Canvas) {
	r := d.run
	verdict, shade := "failed", fault
	if r.Pass {
		verdict, shade = "passed", goal
	}
	name := fmt.Sprintf("%s, seed %d, %.0f s: ", r.Scenario, r.Seed, r.Seconds)
	head := d.Bold(large, ink)
	y := c.Max.Y - 26
	c.FillText(head, vg.Point{X: side, Y: y}, name)
	x := side + head.Width(name)
	head.Color = shade
	c.FillText(head, vg.Point{X: x, Y: y}, verdict)
	c.FillText(d.Text(medium, note), vg.Point{X: side, Y: y - 20},
		fmt.Sprintf("%.1f m driven, %d collisions, closest obstacle %.2f m, %d stops", r.Distance, r.Collisions, r.MinGap, r.Stops))
}

// metres marks an axis in steps of a round length, 0.2 m or more, that are at least 56
// points apart.
func metres(perMetre float64) plot.Ticker {
	step := 0.2
	for i := 0; step*perMetre < 56; i++ {
		step = []float64{0.5, 1, 2}[i%3] * math.Pow10(i/3)
	}
	return plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		for i := ceil(low / step); float64(i)*step <= high+1e-9; i++ {
			ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: fmt.Sprintf("%.4g", float64(i)*step)})
		}
		return ticks
	})
}
