package figures

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// axes shows the block of cells that a channel is, and two channels of a car that
// drives to a goal.
func axes() (*picture.Page, error) {
	heading, obstacles, err := driven("goal", 12, 4*time.Second)
	if err != nil {
		return nil, err
	}
	var marks []float64
	var words []string
	for _, m := range []struct {
		metres float64
		word   string
	}{{0.1, "0.1 m"}, {0.2, "0.2 m"}, {0.5, "0.5 m"}, {1, "1 m"}, {2, "2 m"}} {
		marks, words = append(marks, field.RangeBin(m.metres)), append(words, m.word)
	}
	return &picture.Page{Title: "What the axes mean", Columns: 2, Width: 410, Height: 300, Panels: []picture.Panel{
		&block{},
		&picture.Strip{
			Title: "A map: bearing and range", Across: "bearing (deg), positive is left", Up: "range", From: firstEdge, To: lastEdge,
			Bottom: -0.5, Top: field.Side - 0.5, Ticks: marks, Labels: words, Values: obstacles, High: 1, Scale: "activation",
			Caption: "The channel OBST_MAP of a car that has driven for 4 s: what it remembers of the room around it. Near cells are small, far cells are large.",
		},
		&picture.Chart{
			Title: "A decision: bearing alone", Across: "bearing (deg), positive is left", Up: "activation", From: first, To: last,
			Low: -28, High: 12, Ticks: bearings(), Curves: []picture.Curve{{Values: heading, Ink: orange, Fill: true}},
			Caption: "The channel HEADING at the same moment, a row of 32 cells: the peak is the direction that the car steers to.",
		},
		&shelves{},
	}}, nil
}

// driven drives a scenario for a time and returns the activation of HEADING by
// bearing and of OBST_MAP by bearing and range.
func driven(scenario string, seed uint64, length time.Duration) (heading []float64, obstacles [][]float64, err error) {
	sc, err := scenarios.Load(scenario)
	if err != nil {
		return nil, nil, err
	}
	engine, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	pilot := func(s testbench.Vehicle) (func(now time.Duration), error) {
		p := brain.Default()
		p.SeekGoal, p.Quality = sc.Brain.Goal, "full"
		b, err := brain.New(s.Body, engine, s.Clock, p)
		return func(now time.Duration) {
			b.Tick(now)
			_ = b.Arm() // refused until the car is ready
		}, err
	}
	if _, err := testbench.Run(sc, seed, pilot, testbench.Options{Length: length}); err != nil {
		return nil, nil, err
	}
	cells := make([]float32, field.Cells)
	engine.Read(field.Heading, cells)
	for x := range field.Side {
		heading = append(heading, float64(cells[x*field.Plane]))
	}
	engine.Read(field.ObstMap, cells)
	for x := range field.Side {
		column := make([]float64, field.Side)
		for y := range column {
			column[y] = float64(cells[x*field.Plane+y*field.Side])
		}
		obstacles = append(obstacles, column)
	}
	return heading, obstacles, nil
}

// A block is the cube of cells that a channel is, seen from an edge.
type block struct{}

// Words implements picture.Panel.
func (*block) Words() string {
	return "A channel is a block of 32 x 32 x 32 cells. Along an axis that it does not use all cells are equal; then one slice is stored."
}

// Draw implements picture.Panel.
func (*block) Draw(c draw.Canvas, l *picture.Letters) {
	const cells = 16 // lines for 32 cells would run into each other
	centre := vg.Point{X: c.Center().X, Y: c.Min.Y + 66}
	unit := vg.Length(112)
	at := func(x, y, z float64) vg.Point { // x to the right behind, y to the left behind, z up
		return vg.Point{
			X: centre.X + unit*vg.Length((x-y)*math.Cos(math.Pi/6)),
			Y: centre.Y + unit*vg.Length((x+y)*0.5+z*0.95),
		}
	}
	face := func(shade color.Color, corner func(a, b float64) vg.Point) {
		c.FillPolygon(shade, []vg.Point{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)})
		for i := range cells + 1 {
			k := float64(i) / cells
			line := draw.LineStyle{Color: color.NRGBA{255, 255, 255, 190}, Width: 0.7}
			c.StrokeLines(line, []vg.Point{corner(k, 0), corner(k, 1)}, []vg.Point{corner(0, k), corner(1, k)})
		}
	}
	face(color.NRGBA{90, 140, 210, 255}, func(a, b float64) vg.Point { return at(a, 0, b) })
	face(color.NRGBA{54, 104, 178, 255}, func(a, b float64) vg.Point { return at(0, a, b) })
	face(color.NRGBA{150, 188, 236, 255}, func(a, b float64) vg.Point { return at(a, b, 1) })
	name := func(p vg.Point, align draw.XAlignment, head, text string) {
		style := l.Bold(13, orange)
		style.XAlign = align
		c.FillText(style, p, head)
		style = l.Text(12, color.NRGBA{36, 38, 44, 255})
		style.XAlign = align
		c.FillText(style, p.Add(vg.Point{Y: -15}), text)
	}
	name(at(0.6, 0, 0).Add(vg.Point{X: 8, Y: -22}), draw.XLeft, "X: bearing", "a full circle around the car")
	name(at(0, 0.6, 0).Add(vg.Point{X: -8, Y: -22}), draw.XRight, "Y: range", "5 cm to 3 m, or throttle")
	name(at(1, 0, 0.5).Add(vg.Point{X: 10}), draw.XLeft, "Z: a value", "0 to 1, such as")
	c.FillText(l.Text(12, color.NRGBA{36, 38, 44, 255}), at(1, 0, 0.5).Add(vg.Point{X: 10, Y: -30}), "brightness")
}

// Shelves are the 64 channels in their groups.
type shelves struct{}

// Words implements picture.Panel.
func (*shelves) Words() string {
	return "All 64 channels step together, every 5 ms. A peak in one channel can be the stimulus of another."
}

// Draw implements picture.Panel.
func (*shelves) Draw(c draw.Canvas, l *picture.Letters) {
	groups := []struct {
		first, last int
		text        string
		shade       color.NRGBA
	}{
		{0, 15, "what the senses say now", color.NRGBA{90, 140, 210, 255}},
		{16, 31, "traces: where something was before", color.NRGBA{130, 160, 190, 255}},
		{32, 36, "maps and memories around the car", color.NRGBA{70, 150, 130, 255}},
		{37, 47, "what was done, recalled and planned", color.NRGBA{140, 180, 110, 255}},
		{48, 50, "decisions: HEADING, SPEED, GAZE", orange},
		{51, 63, "surprise, escape, modes, free ones", color.NRGBA{190, 170, 130, 255}},
	}
	title := l.Bold(13, color.NRGBA{36, 38, 44, 255})
	title.XAlign = draw.XCenter
	c.FillText(title, vg.Point{X: c.Center().X, Y: c.Max.Y - 14}, "64 channels")
	tall := (c.Size().Y - 30) / field.Channels
	y := c.Max.Y - 26
	for _, g := range groups {
		top := y
		for range g.last - g.first + 1 {
			left, right, foot := c.Min.X+60, c.Min.X+130, y-tall+1
			c.FillPolygon(g.shade, []vg.Point{{X: left, Y: y}, {X: right, Y: y}, {X: right, Y: foot}, {X: left, Y: foot}})
			y -= tall
		}
		middle := (top+y)/2 - 4
		number := l.Text(11, grey)
		number.XAlign = draw.XRight
		c.FillText(number, vg.Point{X: c.Min.X + 52, Y: middle}, span(g.first, g.last))
		c.FillText(l.Text(12, color.NRGBA{36, 38, 44, 255}), vg.Point{X: c.Min.X + 140, Y: middle}, g.text)
	}
}

// span writes the numbers of a group of channels.
func span(first, last int) string { return fmt.Sprintf("%d to %d", first, last) }
