package picture

import (
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Panel is one part of a page: a chart, a strip, or a drawing of a caller's own.
type Panel interface {
	// Draw fills a canvas.
	Draw(c draw.Canvas, l *Letters)
	// Words are what stands below, one paragraph; "" for nothing.
	Words() string
}

// A Page is panels in rows of Columns, each Width x Height points large, under one
// title.
type Page struct {
	Title         string
	Columns       int // at least 1
	Width, Height int
	Panels        []Panel
}

const gap = 14 // points between panels and around them

// Write draws the page in one of Formats.
func (p *Page) Write(w io.Writer, format string) error {
	l := NewLetters()
	columns := max(p.Columns, 1)
	wide := vg.Length(columns)*(vg.Length(p.Width)+gap) + gap
	top := vg.Length(gap)
	if p.Title != "" {
		top += large + gap
	}
	tall := top
	for i := 0; i < len(p.Panels); i += columns {
		tall += p.row(l, i, columns)
	}
	return export(w, format, wide, tall, func(c draw.Canvas) {
		if p.Title != "" {
			c.FillText(l.Bold(large, ink), vg.Point{X: gap, Y: c.Max.Y - gap - large}, p.Title)
		}
		y := c.Max.Y - top
		for i := 0; i < len(p.Panels); i += columns {
			for k, panel := range p.Panels[i:min(i+columns, len(p.Panels))] {
				p.panel(c, l, panel, vg.Point{X: gap + vg.Length(k)*(vg.Length(p.Width)+gap), Y: y})
			}
			y -= p.row(l, i, columns)
		}
	})
}

// row returns the height of the row that begins with panel i.
func (p *Page) row(l *Letters, i, columns int) vg.Length {
	words := 0
	for _, panel := range p.Panels[i:min(i+columns, len(p.Panels))] {
		words = max(words, len(p.lines(l, panel)))
	}
	return vg.Length(p.Height) + vg.Length(words)*leading + gap
}

const leading = 16 // points from line to line

// lines breaks a panel's words.
func (p *Page) lines(l *Letters, panel Panel) []string {
	if panel.Words() == "" {
		return nil
	}
	return wrap(l.Text(small+1, note), panel.Words(), vg.Length(p.Width))
}

// panel draws one panel with its words, the upper left corner given.
func (p *Page) panel(c draw.Canvas, l *Letters, panel Panel, at vg.Point) {
	low := at.Y - vg.Length(p.Height)
	c.Rectangle = vg.Rectangle{Min: vg.Point{X: at.X, Y: low}, Max: vg.Point{X: at.X + vg.Length(p.Width), Y: at.Y}}
	panel.Draw(c, l)
	for i, line := range p.lines(l, panel) {
		c.FillText(l.Text(small+1, note), vg.Point{X: at.X, Y: low - leading*vg.Length(i+1) + 2}, line)
	}
}
