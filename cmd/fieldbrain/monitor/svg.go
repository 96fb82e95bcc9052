package monitor

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"github.com/gdamore/tcell/v2"
)

// Size of a cell in the picture, and what is left free around all, in pixels.
const (
	cellWidth  = 8
	cellHeight = 17
	margin     = 8
)

// Picture draws one look at the run as SVG, as a terminal of a size would show it: a
// rectangle for every background, a text for letters of one colour.
func (m *Monitor) Picture(width, height int) ([]byte, error) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		return nil, fmt.Errorf("monitor: picture: %w", err)
	}
	defer s.Fini()
	s.SetSize(width, height)
	m.look()
	m.Draw(s)
	s.Show()
	cells, width, height := s.GetContents()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">`+"\n",
		width*cellWidth+2*margin, height*cellHeight+2*margin)
	fmt.Fprintln(&b, `<rect width="100%" height="100%" rx="6" fill="#16181d"/>`)
	for y := range height {
		for x := 0; x < width; {
			end := x + 1
			for end < width && cells[y*width+end].Style == cells[y*width+x].Style {
				end++
			}
			write(&b, cells[y*width+x:y*width+end], x, y)
			x = end
		}
	}
	fmt.Fprintln(&b, "</svg>")
	return b.Bytes(), nil
}

// write writes cells of one style.
func write(b *bytes.Buffer, cells []tcell.SimCell, x, y int) {
	fore, back, attributes := cells[0].Style.Decompose()
	ink, ground := hex(fore, "#d7dae0"), hex(back, "")
	if attributes&tcell.AttrReverse != 0 {
		ink, ground = "#16181d", ink
	}
	left, top := margin+x*cellWidth, margin+y*cellHeight
	if ground != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, len(cells)*cellWidth, cellHeight, ground)
	}
	var text []rune
	blank := true
	for _, c := range cells {
		r := ' '
		if len(c.Runes) > 0 {
			r = c.Runes[0]
		}
		blank = blank && r == ' '
		text = append(text, r)
	}
	if blank {
		return
	}
	weight := ""
	if attributes&tcell.AttrBold != 0 {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="%s"%s>`, left, top+13, len(text)*cellWidth, ink, weight)
	_ = xml.EscapeText(b, []byte(string(text))) // a buffer takes everything
	fmt.Fprintln(b, "</text>")
}

// hex returns a colour as SVG names it.
func hex(c tcell.Color, otherwise string) string {
	if c == tcell.ColorDefault {
		return otherwise
	}
	return fmt.Sprintf("#%06x", c.Hex())
}
