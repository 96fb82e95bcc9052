package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
)

// A Strip is a quantity over time and one axis: a space-time picture.
type Strip struct {
	Title    string
	Values   [][]float64 // [time][place], all rows equally long
	Low, Top float64     // values that get the first and the last colour
	Seconds  float64     // length of the time axis
	Bottom   string      // what the first place is
	Above    string      // what the last place is
}

// Size of plots in pixels.
const (
	plotWidth  = 560
	stripTall  = 96
	curveTall  = 150
	plotIndent = 60
)

// Strips draws strips below each other with a common time axis to the right.
func Strips(w io.Writer, strips ...Strip) error {
	img := blank(len(strips) * (stripTall + 44))
	for i := range strips {
		strips[i].draw(img, 20+i*(stripTall+44))
	}
	return encode(w, img)
}

// draw paints a strip whose upper edge is at y.
func (s *Strip) draw(img *image.RGBA, y int) {
	write(img, plotIndent, y-14, 2, s.Title, ink)
	for px := range plotWidth {
		row := s.Values[px*len(s.Values)/plotWidth]
		for py := range stripTall {
			v := row[len(row)-1-py*len(row)/stripTall]
			img.SetRGBA(plotIndent+px, y+py, heat((v-s.Low)/(s.Top-s.Low)))
		}
	}
	write(img, 4, y, 1, s.Above, note)
	write(img, 4, y+stripTall-8, 1, s.Bottom, note)
	timeAxis(img, y+stripTall, s.Seconds, "s")
}

// A Curve is one line of a chart, or its marks where Dots.
type Curve struct {
	Name   string
	Values []float64 // at equal steps of the horizontal axis
	Dots   bool
}

// A Chart is curves over one horizontal axis. Logarithmic charts leave out what
// is not positive.
type Chart struct {
	Title  string
	Across float64 // length of the horizontal axis
	Unit   string  // of it
	Log    bool
	Curves []Curve
}

// The colours of a chart's curves in their order.
var curveInk = [...]color.RGBA{{31, 90, 190, 255}, {214, 90, 20, 255}, {60, 150, 70, 255}, {120, 120, 130, 255}}

// Draw draws the chart and writes it.
func (c *Chart) Draw(w io.Writer) error {
	img := blank(curveTall + 62)
	const y = 34
	write(img, plotIndent, 4, 2, c.Title, ink)
	low, high := c.span()
	fill(img, plotIndent, y, plotIndent+plotWidth, y+curveTall, ground)
	place := func(v float64) float64 {
		if c.Log {
			v = math.Log10(v)
		}
		return float64(y+curveTall) - (v-low)/(high-low)*curveTall
	}
	write(img, 4, y, 1, c.label(high), note)
	write(img, 4, y+curveTall-8, 1, c.label(low), note)
	x := plotIndent
	for i, curve := range c.Curves {
		shade := curveInk[i%len(curveInk)]
		curve.draw(img, shade, place, c.Log)
		fill(img, x, 24, x+12, 28, shade)
		write(img, x+16, 22, 1, curve.Name, ink)
		x += 28 + textWidth(curve.Name, 1) + 12
	}
	timeAxis(img, y+curveTall, c.Across, c.Unit)
	return encode(w, img)
}

// span returns the vertical limits, in decades where logarithmic.
func (c *Chart) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, curve := range c.Curves {
		for _, v := range curve.Values {
			if c.Log {
				v = math.Log10(v)
			}
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if !(low < high) {
		return low - 1, low + 1
	}
	if c.Log {
		return math.Floor(low), math.Ceil(high)
	}
	return min(low, 0), high
}

// label writes a vertical limit.
func (c *Chart) label(v float64) string {
	if c.Log {
		return fmt.Sprintf("1e%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func (c *Curve) draw(img *image.RGBA, shade color.RGBA, place func(v float64) float64, log bool) {
	k := canvas{RGBA: img}
	at := func(i int) (x, y float64, ok bool) {
		v := c.Values[i]
		return plotIndent + (float64(i)+0.5)*plotWidth/float64(len(c.Values)), place(v), !math.IsNaN(v) && (!log || v > 0)
	}
	for i := range c.Values {
		x, y, ok := at(i)
		if !ok {
			continue
		}
		if c.Dots {
			k.disc(x, y, 3, shade, 1)
			continue
		}
		if i > 0 {
			if x0, y0, ok := at(i - 1); ok {
				k.stroke(x0, y0, x, y, 1.5, shade, 0.9)
			}
		}
	}
}

// blank returns white paper of the plots' width.
func blank(tall int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, plotIndent+plotWidth+12, tall))
	fill(img, 0, 0, img.Rect.Max.X, tall, paper)
	return img
}

func fill(img *image.RGBA, x0, y0, x1, y1 int, shade color.RGBA) {
	k := canvas{RGBA: img}
	k.fill(x0, y0, x1, y1, shade)
}

// timeAxis writes the ends of the horizontal axis below y.
func timeAxis(img *image.RGBA, y int, across float64, unit string) {
	write(img, plotIndent, y+4, 1, "0", note)
	end := fmt.Sprintf("%.4g %s", across, unit)
	write(img, plotIndent+plotWidth-textWidth(end, 1), y+4, 1, end, note)
}

// heat goes from white over orange to dark red.
func heat(share float64) color.RGBA {
	if math.IsNaN(share) || share < 0.5 {
		return between(paper, color.RGBA{250, 160, 60, 255}, 2*share)
	}
	return between(color.RGBA{250, 160, 60, 255}, color.RGBA{110, 10, 30, 255}, 2*share-1)
}

func encode(w io.Writer, img image.Image) error {
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	return nil
}
