package picture

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/testbench"
)

var eventInk = [testbench.NumEvents]color.NRGBA{
	testbench.Contact: {214, 39, 40, 255},
	testbench.Stop:    {120, 120, 130, 255},
	testbench.Stuck:   {140, 20, 110, 255},
	testbench.Edge:    {255, 127, 14, 255},
	testbench.Goal:    goal,
	testbench.Exit:    {23, 160, 180, 255},
	testbench.Fault:   {224, 178, 12, 255},
	testbench.Reset:   {90, 60, 180, 255},
	testbench.Fall:    {120, 10, 20, 255},
}

// A star is the mark of a goal.
type star struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (star) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	var p vg.Path
	for i := range 10 {
		r := s.Radius
		if i%2 == 1 {
			r *= 0.45
		}
		sin, cos := math.Sincos(math.Pi/2 + float64(i)*math.Pi/5)
		q := at.Add(vg.Point{X: r * vg.Length(cos), Y: r * vg.Length(sin)})
		if i == 0 {
			p.Move(q)
			continue
		}
		p.Line(q)
	}
	p.Close()
	c.SetColor(s.Color)
	c.Fill(p)
	c.SetLineStyle(draw.LineStyle{Color: paper, Width: 1})
	c.Stroke(p)
}

// mark draws one event: contacts and falls are crosses, faults wide rings with what they
// caused inside, a goal is a star, everything else a dot with a white rim.
func (v *view) mark(at vg.Point, k testbench.EventKind) { mark(v.Canvas, at, k) }

func mark(c draw.Canvas, at vg.Point, k testbench.EventKind) {
	g := draw.GlyphStyle{Color: eventInk[k], Radius: 5, Shape: draw.CircleGlyph{}}
	switch k {
	case testbench.Contact, testbench.Fall:
		g.Shape = draw.CrossGlyph{}
	case testbench.Fault:
		ring(c, at, 9, 2.6, eventInk[k])
		return
	case testbench.Goal:
		g.Shape, g.Radius = star{}, 12
	default:
		rim := g
		rim.Color, rim.Radius = paper, 6.5
		c.DrawGlyphNoClip(rim, at)
	}
	c.DrawGlyphNoClip(g, at)
}

// ring draws a circle's outline.
func ring(c draw.Canvas, at vg.Point, radius, width vg.Length, shade color.Color) {
	var p vg.Path
	p.Move(at.Add(vg.Point{X: radius}))
	p.Arc(at, radius, 0, 2*math.Pi)
	p.Close()
	c.SetLineStyle(draw.LineStyle{Color: shade, Width: width})
	c.Stroke(p)
}

// begin marks where a run began.
func begin(c draw.Canvas, at vg.Point) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: paper, Radius: 6.5, Shape: draw.CircleGlyph{}}, at)
	ring(c, at, 5, 2.2, ink)
}

// An entry is one kind of event in the legend.
type entry struct {
	kind testbench.EventKind
	text string
	x, y vg.Length // right of the paper's left edge, below the legend's upper edge
}

// entries lists the kinds of events that occurred, with their counts.
func (d *drawing) entries() (list []entry) {
	var counts [testbench.NumEvents]int
	for _, e := range d.run.Track.Events {
		counts[e.Kind]++
	}
	if d.run.Track.World.HasGoal {
		counts[testbench.Goal] = max(counts[testbench.Goal], 1)
	}
	for k := range testbench.NumEvents {
		switch {
		case counts[k] == 0:
		case k == testbench.Goal && d.run.Goal != nil:
			list = append(list, entry{kind: k, text: fmt.Sprintf("goal, reached after %.1f s", *d.run.Goal)})
		case k == testbench.Goal:
			list = append(list, entry{kind: k, text: "goal"})
		default:
			list = append(list, entry{kind: k, text: fmt.Sprintf("%v: %d", k, counts[k])})
		}
	}
	return list
}

// place puts the entries into rows and returns the rows' height.
func (d *drawing) place(list []entry) vg.Length {
	const gap, mark = 22, 26
	style := d.Text(medium, ink)
	x, y := vg.Length(side), vg.Length(0)
	for i := range list {
		wide := mark + style.Width(list[i].text)
		if x > side && x+wide > d.width-side {
			x, y = side, y+lineHigh
		}
		list[i].x, list[i].y = x, y
		x += wide + gap
	}
	if len(list) == 0 {
		return 0
	}
	return y + lineHigh + 6
}

// events writes the legend of events below y.
func (d *drawing) events(c draw.Canvas, y vg.Length) {
	style := d.Text(medium, ink)
	for _, e := range d.legend {
		mark(c, vg.Point{X: e.x + 10, Y: y - e.y - 8}, e.kind)
		c.FillText(style, vg.Point{X: e.x + 26, Y: y - e.y - 12}, e.text)
	}
}

// bar draws the scale of the way's colours below y, and the mark of the start.
func (d *drawing) bar(c draw.Canvas, y vg.Length) {
	const wide, tall = 240, 46
	label := "speed (m/s)"
	if d.params.ByTime {
		label = "time (s)"
	}
	p := d.Plot("", label, "")
	p.HideY()
	p.Add(&plotter.ColorBar{ColorMap: d.shades.ColorMap, Colors: shades})
	p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: c.Min.X, Y: y - tall - 6}, Max: vg.Point{X: c.Min.X + wide, Y: y - 6},
	}})
	x := c.Min.X + wide + 28
	begin(c, vg.Point{X: x, Y: y - 13})
	c.FillText(d.Text(medium, ink), vg.Point{X: x + 12, Y: y - 17}, "start")
	if d.params.ByTime || !rolledBack(d.run.Track) {
		return
	}
	x += 64
	c.StrokeLine2(draw.LineStyle{Color: fault, Width: 2.6}, x, y-13, x+18, y-13)
	c.FillText(d.Text(medium, ink), vg.Point{X: x + 24, Y: y - 17}, "backwards")
}

// rolledBack reports whether some of the way is drawn as driven backwards.
func rolledBack(t *testbench.Track) bool {
	top := topSpeed(t)
	for i := range t.Trail {
		if t.Trail[i].Speed < backwards*top {
			return true
		}
	}
	return false
}
