package monitor

import "github.com/gdamore/tcell/v2"

// A canvas is a rectangle of the screen. What does not fit is not drawn.
type canvas struct {
	screen        tcell.Screen
	x, y          int // of the upper left corner
	width, height int
	plain         bool // letters of ASCII alone
	mono          bool // no colour
}

// within returns a part of the canvas.
func (c canvas) within(row, column, height, width int) canvas {
	c.width = max(0, min(width, c.width-column))
	c.height = max(0, min(height, c.height-row))
	c.x, c.y = c.x+column, c.y+row
	return c
}

// put draws one cell.
func (c canvas) put(row, column int, r rune, style tcell.Style) {
	if row >= 0 && row < c.height && column >= 0 && column < c.width {
		c.screen.SetContent(c.x+column, c.y+row, r, nil, style)
	}
}

// text draws a line, and marks the end of one that is cut. A page may be anybody's:
// what is not a letter of ASCII becomes a question mark. It returns the column behind.
func (c canvas) text(row, column int, s string, style tcell.Style) int {
	for i := range len(s) {
		r := rune(s[i])
		if r >= 0x80 && r < 0xc0 {
			continue // the rest of a letter
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		if column == c.width-1 && i < len(s)-1 {
			r = '>'
		}
		c.put(row, column, r, style)
		column++
		if column >= c.width {
			break
		}
	}
	return column
}

// fill draws a letter in a whole row.
func (c canvas) fill(row int, r rune, style tcell.Style) {
	for column := range c.width {
		c.put(row, column, r, style)
	}
}

// title heads a panel.
func (c canvas) title(s string) {
	style := c.style(bold)
	c.fill(0, ' ', style)
	c.text(0, 0, s, style)
}

// A shade is what a colour means; without colour some are bold or reversed.
type shade int

const (
	ordinary shade = iota
	bold
	dim
	good
	warn
	bad
	alarm // reversed
	blue
	bar
)

// style returns how a shade looks on this screen.
func (c canvas) style(s shade) tcell.Style {
	base := tcell.StyleDefault
	if c.mono {
		switch s {
		case bold, good, bad, warn:
			return base.Bold(true)
		case alarm:
			return base.Reverse(true)
		}
		return base
	}
	switch s {
	case bold:
		return base.Bold(true)
	case dim:
		return base.Foreground(tcell.ColorGray)
	case good:
		return base.Foreground(tcell.ColorGreen).Bold(true)
	case warn:
		return base.Foreground(tcell.ColorYellow)
	case bad:
		return base.Foreground(tcell.ColorRed).Bold(true)
	case alarm:
		return base.Foreground(tcell.ColorWhite).Background(tcell.ColorMaroon).Bold(true)
	case blue:
		return base.Foreground(tcell.ColorTeal)
	case bar:
		return base.Foreground(tcell.ColorGreen)
	}
	return base
}

// heights are the letters of a bar that is so many eighths of a cell high; plain ones
// where the terminal shows ASCII alone.
var (
	heights      = [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}
	plainHeights = [9]rune{' ', '.', '.', ':', ':', '|', '|', '#', '#'}
)

// column draws a bar of a share (0..1) of the canvas's rows below top, upwards. What is
// not zero shows.
func (c canvas) column(top, column int, share float64, style tcell.Style) {
	rows := c.height - top
	if !(share > 0) { // not a number, too
		share = 0
	}
	eighths := int(min(share, 1)*float64(8*rows) + 0.5)
	if share > 0 {
		eighths = max(eighths, 1)
	}
	letters := &heights
	if c.plain {
		letters = &plainHeights
	}
	for row := range rows {
		n := min(8, max(0, eighths-8*row))
		c.put(c.height-1-row, column, letters[n], style)
	}
}

// heat is the letters of a value from nothing to most.
const heat = " .:-=+*#%@"

// heatStyle is the colour of a value from 0 to 1.
func (c canvas) heatStyle(v float64) tcell.Style {
	switch {
	case c.mono || v <= 0:
		return tcell.StyleDefault
	case v < 0.25:
		return tcell.StyleDefault.Foreground(tcell.ColorTeal)
	case v < 0.5:
		return tcell.StyleDefault.Foreground(tcell.ColorGreen)
	case v < 0.75:
		return tcell.StyleDefault.Foreground(tcell.ColorYellow)
	}
	return tcell.StyleDefault.Foreground(tcell.ColorRed).Bold(true)
}

// hot draws a value from 0 to 1 as a cell of a heat map.
func (c canvas) hot(row, column int, v float64) {
	if !(v > 0) { // not a number, too
		v = 0
	}
	v = min(v, 1)
	c.put(row, column, rune(heat[int(v*float64(len(heat)-1)+0.5)]), c.heatStyle(v))
}
