package monitor

import (
	"fmt"
	"math"

	"fieldbrain/daemon/telemetry"
)

// Widths of the map in metres.
const (
	leastAcross = 1.0
	usualAcross = 4.0
	mostAcross  = 8.0
)

// The belief's cells.
const (
	perMetre   = 32
	groundSide = 256
)

// A chart maps places to the cells of a panel: x to the right, y up, letters being
// twice as high as wide.
type chart struct {
	canvas
	cell        float64 // m, width of a letter
	left, upper float64 // m, of the corner
}

// at returns the cell of a place.
func (p *chart) at(x, y float64) (row, column int) {
	return int(math.Floor((p.upper - y) / (2 * p.cell))), int(math.Floor((x - p.left) / p.cell))
}

// drawMap draws the belief about the floor around the car: # occupied, . free; the way
// of the last minute, and the car as an arrow head.
func (m *Monitor) drawMap(c canvas) {
	s := &m.scene
	g := &s.ground
	x, y, heading := sound(g.X), sound(g.Y), sound(g.Heading)
	c.title(fmt.Sprintf("map %.3g m: # occupied . free + way", m.across))
	panel := c.within(1, 0, c.height-1, c.width)
	if panel.height < 1 || panel.width < 1 {
		return
	}
	p := chart{canvas: panel, cell: m.across / float64(panel.width)}
	p.left = x - float64(p.cell*float64(panel.width))/2
	p.upper = y + float64(p.cell*float64(panel.height))
	for row := range panel.height {
		for column := range panel.width {
			p.drawCell(g, row, column)
		}
	}
	m.drawWay(&p, x, y, heading)
}

// drawCell draws what is believed about the floor that a letter covers.
func (p *chart) drawCell(g *telemetry.Ground, row, column int) {
	west := math.Floor((p.left+float64(float64(column)*p.cell))*perMetre) - float64(g.West)
	south := math.Floor((p.upper-float64(float64(2*(row+1))*p.cell))*perMetre) - float64(g.South)
	wide := max(1, int(p.cell*perMetre+0.5))
	occupied, free := false, false
	for j := range 2 * wide {
		for i := range wide {
			cx, cy := west+float64(i), south+float64(j)
			if cx < 0 || cy < 0 || cx >= groundSide || cy >= groundSide {
				continue
			}
			bit, word := uint(cx)%64, int(cx)/64
			occupied = occupied || g.Occupied[int(cy)][word]>>bit&1 != 0
			free = free || g.Free[int(cy)][word]>>bit&1 != 0
		}
	}
	switch {
	case occupied:
		p.put(row, column, '#', p.style(ordinary))
	case free:
		p.put(row, column, '.', p.style(dim))
	}
}

// drawWay draws the way of the last minute and the car at its end. The ticks know the
// car in the frame of the start, the belief in one of its own: the newest tick that
// both know joins them.
func (m *Monitor) drawWay(p *chart, x, y, heading float64) {
	s := &m.scene
	join := s.newest
	jx, jy, turn := sound(join.X), sound(join.Y), heading-sound(join.Heading)
	sin, cos := math.Sincos(turn)
	place := func(tx, ty float64) (float64, float64) {
		dx, dy := tx-jx, ty-jy
		return x + float64(dx*cos) - float64(dy*sin), y + float64(dx*sin) + float64(dy*cos)
	}
	step := max(1, len(s.minute)/600)
	for i := 0; i < len(s.minute); i += step {
		row, column := p.at(place(sound(s.minute[i].x), sound(s.minute[i].y)))
		p.put(row, column, '+', p.style(blue))
	}
	if goal := s.status.Order; goal.Left != nil {
		var gx, gy float64
		if n, _ := fmt.Sscanf(goal.Order, "goal %g %g", &gx, &gy); n == 2 {
			row, column := p.at(place(gx, gy))
			p.put(row, column, 'G', p.style(good))
		}
	}
	row, column := p.at(place(sound(s.shown.X), sound(s.shown.Y)))
	eighth := int(math.Round((sound(s.shown.Heading)+turn)/(math.Pi/4))) & 7
	p.put(row, column, rune(">/^\\</v\\"[eighth]), p.style(bold).Reverse(true))
}
