package picture

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	paper    = color.NRGBA{255, 255, 255, 255}
	ground   = color.NRGBA{247, 245, 239, 255}
	void     = color.NRGBA{92, 104, 124, 255}
	grid     = color.NRGBA{226, 222, 211, 255}
	ink      = color.NRGBA{36, 38, 44, 255}
	note     = color.NRGBA{96, 94, 90, 255}
	obstacle = color.NRGBA{168, 163, 152, 255}
	curtain  = color.NRGBA{176, 84, 150, 255} // swallows echoes
	pane     = color.NRGBA{40, 150, 190, 255} // mirrors them
	mover    = color.NRGBA{190, 150, 90, 255}
	tape     = color.NRGBA{30, 30, 30, 255}
	goal     = color.NRGBA{32, 140, 66, 255}
	fault    = color.NRGBA{206, 45, 45, 255}
	chassis  = color.NRGBA{36, 98, 196, 255}
	glass    = color.NRGBA{190, 215, 248, 255}
	tyre     = color.NRGBA{28, 30, 34, 255}
)

// Sizes of letters in points.
const (
	large  = 17
	medium = 13
	small  = 11
)

// Letters are the fonts of one picture. They may not be shared by goroutines.
type Letters struct{ handler text.Handler }

// NewLetters reads the Go fonts, which are part of the program.
func NewLetters() *Letters {
	face := func(ttf []byte, weight xfont.Weight) font.Face {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("picture: a font of the program's own: " + err.Error())
		}
		return font.Face{Font: font.Font{Typeface: "Go", Weight: weight}, Face: f}
	}
	regular, bold := face(goregular.TTF, xfont.WeightNormal), face(gobold.TTF, xfont.WeightBold)
	return &Letters{text.Plain{Fonts: font.NewCache(font.Collection{regular, bold})}}
}

// Text returns a style of the regular letters, aligned left and to the baseline.
func (l *Letters) Text(size vg.Length, shade color.Color) text.Style {
	return text.Style{Color: shade, Font: font.Font{Typeface: "Go", Size: size}, Handler: l.handler}
}

// Bold returns the same in bold letters.
func (l *Letters) Bold(size vg.Length, shade color.Color) text.Style {
	s := l.Text(size, shade)
	s.Font.Weight = xfont.WeightBold
	return s
}

// Plot returns an empty plot with named axes in this package's style.
func (l *Letters) Plot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.TextHandler, p.Legend.TextStyle = l.handler, l.Text(small, ink)
	p.Legend.Padding, p.Legend.ThumbnailWidth = 3, 18
	p.Title.Text, p.Title.TextStyle, p.Title.Padding = title, l.Bold(medium, ink), 6
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	l.axis(&p.X, x)
	l.axis(&p.Y, y)
	return p
}

// axis sets the style of an axis that plot.New made.
func (l *Letters) axis(a *plot.Axis, label string) {
	set := func(s *text.Style, by text.Style) {
		by.XAlign, by.YAlign = s.XAlign, s.YAlign
		*s = by
	}
	a.Label.Text, a.Label.Padding, a.Padding = label, 2, 0
	set(&a.Label.TextStyle, l.Text(small+1, ink))
	set(&a.Tick.Label, l.Text(small, note))
	a.LineStyle = draw.LineStyle{Color: note, Width: 0.8}
	a.Tick.LineStyle, a.Tick.Length, a.Tick.Marker = a.LineStyle, 4, round{}
}

// round marks an axis at three to eight round values.
type round struct{}

// Ticks implements plot.Ticker.
func (round) Ticks(low, high float64) (list []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/3)))
	for _, k := range []float64{5, 2} {
		if (high-low)/(k*step) >= 3 {
			step *= k
			break
		}
	}
	for i := ceil(low / step); float64(i)*step <= high+1e-9*step; i++ {
		list = append(list, plot.Tick{Value: float64(i) * step, Label: label(float64(i) * step)})
	}
	return list
}

// ceil returns the smallest whole number that is not below v but for rounding.
func ceil(v float64) int { return int(math.Ceil(v - 1e-9)) }

// label writes a value beside an axis.
func label(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// wrap breaks a text into lines no wider than width.
func wrap(s text.Style, words string, width vg.Length) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(words) {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		if line != "" && s.Width(longer) > width {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	return append(lines, line)
}
