package picture

import (
	"image"
	"math"

	xdraw "golang.org/x/image/draw"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Strip is a quantity over time and one axis: a space-time picture, or any
// other two axes.
type Strip struct {
	Title, Caption string
	Across, Up     string      // names of the axes, with their units
	From, To       float64     // of the horizontal axis, the outer edges of its cells
	Bottom, Top    float64     // of the vertical axis, the outer edges of its cells
	Ticks          []float64   // of the vertical axis; nil for round ones
	Labels         []string    // of the ticks; nil for their values
	Values         [][]float64 // [across][up], all rows equally long
	Low, High      float64     // values that get the first and the last colour
	Scale          string      // name of the colours' quantity
	Reversed       bool        // the lowest value is the darkest
}

// Size of a strip's parts in points.
const (
	barWide  = 14
	barSpace = 70 // bar, its axis and what lies between it and the strip
)

// Words implements Panel.
func (s *Strip) Words() string { return s.Caption }

// Draw implements Panel.
func (s *Strip) Draw(area draw.Canvas, l *Letters) {
	p := l.Plot(s.Title, s.Across, s.Up)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = s.From, s.To, s.Bottom, s.Top
	if s.Ticks != nil {
		p.Y.Tick.Marker = ticks(s.Ticks, s.Labels)
	}
	shades := heats(s.Low, s.High, !s.Reversed)
	left := draw.Crop(area, 0, -barSpace, 0, 0)
	p.Add(&cells{s, shades})
	p.Draw(left)
	inner := p.DataCanvas(left)

	b := l.Plot("", "", s.Scale)
	b.HideX()
	b.Add(&plotter.ColorBar{ColorMap: shades.ColorMap, Vertical: true, Colors: shades.count()})
	axis := b.DataCanvas(draw.Canvas{Rectangle: area.Rectangle}).Min.X - area.Min.X // what its labels need
	right := inner.Max.X + (area.Max.X-inner.Max.X-barWide-axis)/2 + 4
	b.Draw(draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: right, Y: inner.Min.Y}, Max: vg.Point{X: right + axis + barWide, Y: inner.Max.Y},
	}})
}

// cells draws the values, each as a rectangle of whole pixels.
type cells struct {
	*Strip
	shades scale
}

// Plot implements plot.Plotter.
func (s *cells) Plot(c draw.Canvas, p *plot.Plot) {
	if len(s.Values) == 0 {
		return
	}
	rows := len(s.Values[0])
	img := image.NewNRGBA(image.Rect(0, 0, len(s.Values), rows))
	for i, column := range s.Values {
		for j, v := range column {
			img.Set(i, rows-1-j, s.shades.colours[s.shades.index(v)])
		}
	}
	low, high := whole(c.Min), whole(c.Max)
	fit := image.NewNRGBA(image.Rect(0, 0, int(high.X-low.X), int(high.Y-low.Y)))
	xdraw.NearestNeighbor.Scale(fit, fit.Rect, img, img.Rect, xdraw.Src, nil)
	c.DrawImage(vg.Rectangle{Min: low, Max: high}, fit)
}

// whole returns the pixel's corner nearest to a point.
func whole(p vg.Point) vg.Point {
	return vg.Point{X: vg.Length(math.Round(float64(p.X))), Y: vg.Length(math.Round(float64(p.Y)))}
}
