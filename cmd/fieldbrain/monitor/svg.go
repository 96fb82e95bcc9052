package monitor

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

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
	return m.Film(width, height, 1, 0)
}

// Film draws looks at the run, one every so long, as a moving SVG that begins anew behind
// the last. Where a viewer moves nothing it shows the last.
func (m *Monitor) Film(width, height, looks int, every time.Duration) ([]byte, error) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		return nil, fmt.Errorf("monitor: picture: %w", err)
	}
	defer s.Fini()
	s.SetSize(width, height)
	r := reel{looks: looks, every: every}
	for i := range looks {
		if i > 0 {
			time.Sleep(every) // a film of files that somebody else writes
		}
		m.look()
		m.Draw(s)
		s.Show()
		r.add(i, s)
	}
	return r.draw(width, height), nil
}

// A reel holds the pieces of all looks: what is the same in several is there once.
type reel struct {
	looks  int
	every  time.Duration
	pieces []piece
	last   map[string]int // of the look before: where each piece is
}

// A piece is letters of one style, seen in the looks from..to-1.
type piece struct {
	text     string
	from, to int
}

// add takes what a screen shows.
func (r *reel) add(look int, s tcell.SimulationScreen) {
	cells, width, height := s.GetContents()
	now := map[string]int{}
	for y := range height {
		for x := 0; x < width; {
			end := x + 1
			for end < width && cells[y*width+end].Style == cells[y*width+x].Style {
				end++
			}
			var b bytes.Buffer
			write(&b, cells[y*width+x:y*width+end], x, y)
			x = end
			if b.Len() == 0 {
				continue
			}
			text := b.String()
			at, seen := r.last[text]
			if !seen {
				at = len(r.pieces)
				r.pieces = append(r.pieces, piece{text: text, from: look})
			}
			r.pieces[at].to, now[text] = look+1, at
		}
	}
	r.last = now
}

// draw writes the picture.
func (r *reel) draw(width, height int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">`+"\n",
		width*cellWidth+2*margin, height*cellHeight+2*margin)
	fmt.Fprintln(&b, `<rect width="100%" height="100%" rx="6" fill="#16181d"/>`)
	for _, p := range r.pieces {
		if p.from == 0 && p.to == r.looks {
			b.WriteString(p.text)
			continue
		}
		r.move(&b, p)
	}
	fmt.Fprintln(&b, "</svg>")
	return b.Bytes()
}

// move writes a piece that comes or goes.
func (r *reel) move(b *bytes.Buffer, p piece) {
	values, times, still := "inline", "0", "none"
	if p.from > 0 {
		values, times = "none;inline", fmt.Sprintf("0;%.4g", float64(p.from)/float64(r.looks))
	}
	if p.to == r.looks {
		still = "inline"
	} else {
		values, times = values+";none", fmt.Sprintf("%s;%.4g", times, float64(p.to)/float64(r.looks))
	}
	fmt.Fprintf(b, `<g display="%s"><animate attributeName="display" calcMode="discrete" dur="%gs" repeatCount="indefinite" values="%s" keyTimes="%s"/>`,
		still, (time.Duration(r.looks) * r.every).Seconds(), values, times)
	b.WriteString(strings.TrimSuffix(p.text, "\n") + "</g>\n")
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

// hex returns a colour as SVG names it. The colours that a terminal shows as its own theme
// has them are as bright as themes for a dark ground make them.
func hex(c tcell.Color, otherwise string) string {
	switch c {
	case tcell.ColorDefault:
		return otherwise
	case tcell.ColorGreen:
		return "#4ec267"
	case tcell.ColorTeal:
		return "#3cb8c9"
	case tcell.ColorGray:
		return "#9aa1ab"
	}
	return fmt.Sprintf("#%06x", c.Hex())
}
