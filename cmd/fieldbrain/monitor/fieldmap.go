package monitor

import (
	"fmt"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/field"
)

// first are the channels that a small heat map shows, the decisions first; the others
// follow in their order, those that are silent left out.
var first = []int{
	field.Heading, field.PlanHead, field.HeadPref, field.ObstMap, field.GoalMem, field.TargetSeen, field.RangeSeen,
	field.VisitedMap, field.Gaze, field.Novelty, field.EscapeSide, field.Line, field.LineMem, field.CliffEdge, field.HazardMap,
}

// drawField draws the output of the field's channels over bearing, each in a row as the
// car sees it, left at the left, relative to the row's largest.
func (m *Monitor) drawField(c canvas) {
	f := &m.scene.field
	const names = 11
	width := min(field.Side, c.width-names)
	if width < 8 {
		return
	}
	style := c.style(bold)
	c.title("field")
	c.text(0, names, "left", style)
	c.put(0, names+width/2, 'v', style)
	c.text(0, max(names, names+width-5), "right", style)
	table := field.PiCarX()
	row := 1
	column := 0
	for _, channel := range channels(f) {
		if row >= c.height {
			row, column = 1, column+names+field.Side+2
		}
		if column+names+width > c.width {
			break
		}
		part := c.within(row, column, 1, names+width)
		part.text(0, 0, fmt.Sprintf("%.10s", table[channel].Name), c.style(ordinary))
		drawRow(part.within(0, names, 1, width), &f.X[channel])
		row++
	}
}

// channels returns the channels to show: the first ones, and all others that say
// something.
func channels(f *telemetry.Field) []int {
	list := append([]int(nil), first[:1]...) // HEADING also when it is silent
	chosen := map[int]bool{first[0]: true}
	consider := func(c int) {
		if !chosen[c] && peak(&f.X[c]) > 0 {
			list, chosen[c] = append(list, c), true
		}
	}
	for _, c := range first[1:] {
		consider(c)
	}
	for c := range field.Channels {
		consider(c)
	}
	return list
}

// peak returns the largest output of a row.
func peak(x *[field.Side]int32) (most int32) {
	for _, v := range x {
		most = max(most, v)
	}
	return most
}

// drawRow draws a channel's row; bearings ascend to the left.
func drawRow(c canvas, x *[field.Side]int32) {
	most := float64(peak(x))
	for column := range c.width {
		var v int32
		for bin := column * field.Side / c.width; bin < max((column+1)*field.Side/c.width, column*field.Side/c.width+1); bin++ {
			v = max(v, x[field.Side-1-min(bin, field.Side-1)])
		}
		if most > 0 {
			c.hot(0, column, float64(v)/most)
		}
	}
}
