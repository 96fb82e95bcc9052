package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Curve is one line of a chart, or its marks where Dots.
type Curve struct {
	Name   string      // in the legend; "" leaves it out
	Values []float64   // at equal steps of the horizontal axis; NaN and infinities are gaps
	Dots   bool        // marks instead of a line
	Dashed bool        // a broken line
	Fill   bool        // colour the area between the curve and 0 where it is positive
	Ink    color.Color // nil for one of the chart's own
}

// A Note is a few words at a point of a chart.
type Note struct {
	X, Y float64
	Text string
	Ink  color.Color // nil for the ink of letters
}

// A Chart is curves over one horizontal axis. Logarithmic charts leave out what
// is not positive.
type Chart struct {
	Title, Caption string
	Across, Up     string  // names of the axes, with their units
	From, To       float64 // of the horizontal axis: the first and the last value's place
	Low, High      float64 // of the vertical axis; both 0 to fit the curves
	Log            bool
	Below          bool      // the legend stands at the bottom, where the curves leave room
	Ticks          []float64 // of the horizontal axis; nil for round ones
	Curves         []Curve
	Notes          []Note
}

// curveInk returns the colour of a chart's i-th curve.
func curveInk(i int) color.Color {
	inks := [...]color.NRGBA{{31, 90, 190, 255}, {214, 90, 20, 255}, {40, 140, 70, 255}, {120, 120, 130, 255}}
	return inks[i%len(inks)]
}

// Words implements Panel.
func (c *Chart) Words() string { return c.Caption }

// Draw implements Panel.
func (c *Chart) Draw(area draw.Canvas, l *Letters) {
	p := l.Plot(c.Title, c.Across, c.Up)
	p.X.Min, p.X.Max = c.From, c.To
	p.Y.Min, p.Y.Max = c.span()
	if c.Log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	}
	if c.Ticks != nil {
		p.X.Tick.Marker = ticks(c.Ticks, nil)
	}
	p.Legend.Top = !c.Below
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = grid, grid
	p.Add(lines)
	for i := range c.Curves {
		c.add(p, &c.Curves[i], curveInk(i))
	}
	if len(c.Notes) > 0 {
		p.Add(c.notes(l))
	}
	p.Draw(area)
}

// span returns the vertical limits: full decades where logarithmic.
func (c *Chart) span() (low, high float64) {
	if c.Low != 0 || c.High != 0 {
		return c.Low, c.High
	}
	low, high = math.Inf(1), math.Inf(-1)
	for i := range c.Curves {
		for _, v := range c.Curves[i].Values {
			if c.shows(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	switch {
	case c.Log && low <= high:
		return 0.999 * math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	case c.Log:
		return 0.1, 1
	case !(low < high):
		return -1, 1
	}
	return min(low, 0), high
}

// shows reports whether a value has a place on the chart.
func (c *Chart) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!c.Log || v > 0)
}

// add puts a curve into the plot.
func (c *Chart) add(p *plot.Plot, curve *Curve, shade color.Color) {
	if curve.Ink != nil {
		shade = curve.Ink
	}
	var thumb plot.Thumbnailer
	for _, piece := range c.pieces(curve) {
		if curve.Fill {
			p.Add(&hump{piece, shade})
		}
		if curve.Dots {
			s := &plotter.Scatter{XYs: piece, GlyphStyle: draw.GlyphStyle{Color: shade, Radius: 3.5, Shape: draw.CircleGlyph{}}}
			p.Add(s)
			thumb = s
			continue
		}
		s := &plotter.Line{XYs: piece, LineStyle: draw.LineStyle{Color: shade, Width: 2}}
		if curve.Dashed {
			s.Width, s.Dashes = 1.4, []vg.Length{5, 4}
		}
		p.Add(s)
		thumb = s
	}
	if curve.Name != "" && thumb != nil {
		p.Legend.Add(curve.Name, thumb)
	}
}

// pieces returns the runs of a curve without a gap.
func (c *Chart) pieces(curve *Curve) (all []plotter.XYs) {
	step := (c.To - c.From) / math.Max(float64(len(curve.Values)-1), 1)
	var piece plotter.XYs
	for i, v := range curve.Values {
		if c.shows(v) {
			piece = append(piece, plotter.XY{X: c.From + float64(i)*step, Y: v})
			continue
		}
		if len(piece) > 0 {
			all = append(all, piece)
		}
		piece = nil
	}
	if len(piece) > 0 {
		all = append(all, piece)
	}
	return all
}

// notes returns the words in the chart.
func (c *Chart) notes(l *Letters) plot.Plotter {
	labels := &plotter.Labels{}
	for _, n := range c.Notes {
		style := l.Text(small+1, ink)
		if n.Ink != nil {
			style = l.Bold(small+1, n.Ink)
		}
		style.XAlign = draw.XCenter
		labels.XYs = append(labels.XYs, plotter.XY{X: n.X, Y: n.Y})
		labels.Labels = append(labels.Labels, n.Text)
		labels.TextStyle = append(labels.TextStyle, style)
	}
	return labels
}

// ticks marks an axis at given values, by given words or by the values.
func ticks(values []float64, words []string) plot.ConstantTicks {
	var list plot.ConstantTicks
	for i, v := range values {
		text := label(v)
		if words != nil {
			text = words[i]
		}
		list = append(list, plot.Tick{Value: v, Label: text})
	}
	return list
}

// A hump colours the area between a curve and 0.
type hump struct {
	line  plotter.XYs
	shade color.Color
}

// Plot implements plot.Plotter.
func (h *hump) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	r, g, b, _ := h.shade.RGBA()
	var points []vg.Point
	for i, q := range h.line {
		if i > 0 && (q.Y > 0) != (h.line[i-1].Y > 0) { // where the curve meets 0
			a := h.line[i-1]
			points = append(points, vg.Point{X: x(a.X + (q.X-a.X)*a.Y/(a.Y-q.Y)), Y: y(0)})
		}
		points = append(points, vg.Point{X: x(q.X), Y: y(math.Max(q.Y, 0))})
	}
	if len(points) > 1 {
		points = append(points, vg.Point{X: points[len(points)-1].X, Y: y(0)}, vg.Point{X: points[0].X, Y: y(0)})
		c.FillPolygon(color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 70}, points)
	}
}
