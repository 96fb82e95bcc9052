package picture

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"

	"fieldbrain/testbench"
	"fieldbrain/testbench/world"
)

// Params say how a picture looks.
type Params struct {
	Width  int  // px of the plot's longer side, legend not counted
	ByTime bool // colour the way by time instead of by speed
}

// Default returns a picture 1000 pixels wide, coloured by speed.
func Default() Params { return Params{Width: 1000} }

var (
	paper    = color.RGBA{255, 255, 255, 255}
	ground   = color.RGBA{244, 242, 236, 255}
	void     = color.RGBA{92, 104, 124, 255}
	grid     = color.RGBA{228, 225, 216, 255}
	ink      = color.RGBA{40, 40, 44, 255}
	note     = color.RGBA{96, 94, 90, 255}
	obstacle = color.RGBA{150, 146, 138, 255}
	mover    = color.RGBA{190, 150, 90, 255}
	tape     = color.RGBA{30, 30, 30, 255}
	goal     = color.RGBA{40, 150, 70, 255}
	body     = color.RGBA{30, 90, 190, 255}

	eventInk = [testbench.NumEvents]color.RGBA{
		testbench.Contact: {214, 39, 40, 255},
		testbench.Stop:    {120, 120, 130, 255},
		testbench.Stuck:   {140, 20, 110, 255},
		testbench.Edge:    {255, 127, 14, 255},
		testbench.Goal:    {40, 150, 70, 255},
		testbench.Exit:    {23, 160, 180, 255},
		testbench.Fault:   {230, 190, 20, 255},
		testbench.Reset:   {90, 60, 180, 255},
	}
)

// margins of the plot in pixels: room for the title above, the legend below.
const (
	side   = 24
	above  = 64
	below  = 142
	narrow = 620 // px, the legend needs as much
)

// PNG draws the run and writes the image. The result must come from Run or
// Rig.Result in this process: its JSON form has no track.
func PNG(w io.Writer, r *testbench.Result, p Params) error {
	if r.Track == nil {
		return errors.New("picture: the run has no track to draw")
	}
	c := newCanvas(r.Track, p)
	c.floor(r.Track)
	c.obstacles(r.Track.World)
	c.way(r.Track, p)
	c.marks(r.Track)
	c.title(r)
	end := c.legend(r, p) // what is left below it stays out of the file
	if err := png.Encode(w, c.SubImage(image.Rect(0, 0, c.Rect.Max.X, end))); err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	return nil
}

func newCanvas(t *testbench.Track, p Params) *canvas {
	low, high := t.World.Min, t.World.Max
	for _, point := range t.Trail { // the way may leave the region
		low = world.Vec{X: min(low.X, point.Pose.At.X-0.1), Y: min(low.Y, point.Pose.At.Y-0.1)}
		high = world.Vec{X: max(high.X, point.Pose.At.X+0.1), Y: max(high.Y, point.Pose.At.Y+0.1)}
	}
	size := high.Sub(low)
	scale := float64(max(p.Width, 100)) / max(size.X, size.Y, 0.1)
	width, height := int(size.X*scale)+1, int(size.Y*scale)+1
	rect := image.Rect(0, 0, max(width, narrow)+2*side, above+height+below)
	c := &canvas{RGBA: image.NewRGBA(rect), low: low, left: side, bottom: above + height, scale: scale}
	c.fill(0, 0, rect.Max.X, rect.Max.Y, paper)
	return c
}

// floor paints the ground pixel by pixel, with a grid of one metre.
func (c *canvas) floor(t *testbench.Track) {
	w := t.World
	x0, y0 := c.at(w.Min)
	x1, y1 := c.at(w.Max)
	for y := int(y1); y < int(y0); y++ {
		for x := int(x0); x < int(x1); x++ {
			p := world.Vec{X: c.low.X + (float64(x-c.left)+0.5)/c.scale, Y: c.low.Y + (float64(c.bottom-y)-0.5)/c.scale}
			shade := ground
			if w.Floor.Past(p) {
				shade = void
			}
			c.SetRGBA(x, y, shade)
		}
	}
	for x := math.Ceil(w.Min.X); x <= w.Max.X; x++ {
		c.segment(world.Vec{X: x, Y: w.Min.Y}, world.Vec{X: x, Y: w.Max.Y}, 1, grid)
	}
	for y := math.Ceil(w.Min.Y); y <= w.Max.Y; y++ {
		c.segment(world.Vec{X: w.Min.X, Y: y}, world.Vec{X: w.Max.X, Y: y}, 1, grid)
	}
	for _, l := range w.Floor.Lines {
		for i := 1; i < len(l.Points); i++ {
			c.segment(l.Points[i-1], l.Points[i], max(l.Width*c.scale, 1), tape)
		}
	}
}

func (c *canvas) obstacles(w *world.World) {
	for _, d := range w.Discs {
		x, y := c.at(d.Centre)
		c.disc(x, y, d.Radius*c.scale, obstacle, 1)
		c.ring(x, y, d.Radius*c.scale, 1.5, ink)
	}
	for i := range w.Movers {
		m := &w.Movers[i]
		for j, a := range m.Path {
			c.segment(a, m.Path[(j+1)%len(m.Path)], 1, mover)
		}
		d := m.Disc()
		x, y := c.at(d.Centre)
		c.disc(x, y, d.Radius*c.scale, mover, 1)
	}
	for _, s := range w.Walls {
		c.segment(s.A, s.B, 4, ink)
	}
	if w.HasGoal {
		x, y := c.at(w.Goal)
		c.disc(x, y, 6, goal, 1)
		c.ring(x, y, 11, 2, goal)
	}
}

// way draws the middle of the body, coloured, its start, and the car's last
// pose with the body's outline.
func (c *canvas) way(t *testbench.Track, p Params) {
	if len(t.Trail) == 0 {
		return
	}
	top := topSpeed(t)
	end := t.Trail[len(t.Trail)-1].At.Seconds()
	middle := func(i int) world.Vec {
		q := &t.Trail[i].Pose
		return q.At.Add(world.Unit(q.Heading).Scale(t.Body.BodyAhead))
	}
	for i := 1; i < len(t.Trail); i++ {
		shade := speedColour(t.Trail[i].Speed / top)
		if p.ByTime {
			shade = timeColour(t.Trail[i].At.Seconds() / max(end, 1e-9))
		}
		x0, y0 := c.at(middle(i - 1))
		x1, y1 := c.at(middle(i))
		c.stroke(x0, y0, x1, y1, 3, shade, 0.85)
	}
	x, y := c.at(middle(0))
	c.ring(x, y, 7, 2.5, ink)
	last := t.Trail[len(t.Trail)-1].Pose
	x, y = c.at(middle(len(t.Trail) - 1))
	c.disc(x, y, t.Body.BodyRadius*c.scale, body, 0.25)
	c.ring(x, y, t.Body.BodyRadius*c.scale, 2, body)
	nose := last.At.Add(world.Unit(last.Heading).Scale(t.Body.BodyAhead + t.Body.BodyRadius))
	c.segment(last.At, nose, 3, body)
}

func topSpeed(t *testbench.Track) float64 {
	top := 0.05 // m/s; slower runs are all one colour otherwise
	for i := range t.Trail {
		top = max(top, math.Abs(t.Trail[i].Speed))
	}
	return top
}

// speedColour goes from blue (standing) over green to yellow (fastest);
// backward is red.
func speedColour(share float64) color.RGBA {
	if share < -0.02 {
		return between(color.RGBA{250, 150, 150, 255}, color.RGBA{200, 20, 60, 255}, -share)
	}
	if share < 0.5 {
		return between(color.RGBA{60, 60, 190, 255}, color.RGBA{30, 160, 130, 255}, 2*share)
	}
	return between(color.RGBA{30, 160, 130, 255}, color.RGBA{240, 190, 20, 255}, 2*share-1)
}

// timeColour goes from light blue (start) to dark red (end).
func timeColour(share float64) color.RGBA {
	return between(color.RGBA{110, 170, 240, 255}, color.RGBA{150, 10, 40, 255}, share)
}

func between(a, b color.RGBA, share float64) color.RGBA {
	share = min(max(share, 0), 1)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// marks puts a kind's mark at every event. Dots of two kinds at one place stand
// side by side; a second one of a kind would only cover the first.
func (c *canvas) marks(t *testbench.Track) {
	const near, apart = 4.0, 13.0 // px
	type placed struct {
		x, y float64
		kind testbench.EventKind
	}
	var dots []placed
	touches := func(x, y, within float64, match func(k testbench.EventKind) bool) bool {
		return slices.ContainsFunc(dots, func(p placed) bool {
			return match(p.kind) && math.Hypot(p.x-x, p.y-y) < within
		})
	}
	for _, e := range t.Events {
		x, y := c.at(e.Place)
		if e.Kind == testbench.Fault { // a ring, open in the middle
			c.mark(x, y, e.Kind)
			continue
		}
		if touches(x, y, near, func(k testbench.EventKind) bool { return k == e.Kind }) {
			continue
		}
		for touches(x, y, apart-1, func(k testbench.EventKind) bool { return k != e.Kind }) {
			x += apart
		}
		dots = append(dots, placed{x, y, e.Kind})
		c.mark(x, y, e.Kind)
	}
}

// mark draws one event: a filled dot in a white ring, so that it shows on the
// way and on obstacles alike. Contacts are crosses, faults rings.
func (c *canvas) mark(x, y float64, k testbench.EventKind) {
	shade := eventInk[k]
	if k == testbench.Contact {
		for _, s := range []float64{-1, 1} {
			c.stroke(x-6, y-6*s, x+6, y+6*s, 6, paper, 0.9)
		}
		for _, s := range []float64{-1, 1} {
			c.stroke(x-6, y-6*s, x+6, y+6*s, 3, shade, 1)
		}
		return
	}
	if k == testbench.Fault { // wide, because what the fault caused lies inside
		c.ring(x, y, 11, 3, shade)
		return
	}
	c.disc(x, y, 6.5, paper, 0.9)
	c.disc(x, y, 5, shade, 1)
}
