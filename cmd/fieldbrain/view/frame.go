package view

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// The parts of a frame, from top to bottom.
const (
	head     = iota // the car's mode and motion
	why             // why it stands or is slow, and the remedy
	motion          // speed, steering, front range; the order; the place
	card            // the graphics card
	bar             // the heading field
	ground          // the world from above
	table           // latencies
	degraded        // conditions
	log             // newest lines
	foot            // how to give orders
	numParts
)

// claims deals the rows of a terminal out, a few to each part in turn: the parts
// that a person must see come first, the merely nice ones last.
var claims = [...]struct{ part, rows int }{
	{head, 1},
	{why, 2},
	{foot, 1},
	{ground, 5},
	{motion, 1},
	{bar, 2},
	{motion, 1},
	{degraded, 1},
	{log, 1},
	{motion, 1},
	{table, 4},
	{ground, 5},
	{log, 2},
	{degraded, 3},
	{card, 1},
	{ground, 10},
	{table, 99},
	{log, 5},
	{degraded, 99},
}

// narrow is the width below which heading bar and table say nothing any more.
const narrow = 44

// deal returns how many rows each part gets of a height, given how many it has.
func deal(height int, have [numParts]int) (rows [numParts]int) {
	for _, c := range claims {
		n := max(0, min(c.rows, have[c.part]-rows[c.part], height))
		rows[c.part] += n
		height -= n
	}
	return rows
}

// frame lays out one picture of a size: it never has more lines than the
// terminal, and none longer.
func (v View) frame(world *topDown, width, height int, colour bool) []string {
	s := v.Status()
	const newest = 20
	parts := [numParts][]string{
		head: {headline(s)}, why: whyLines(s), motion: {s.Motion(), s.Order.Line(), s.Place.Line()}, bar: headingBar(v.Brain()),
		table: tableLines(s.Table), degraded: conditionLines(s.Conditions), log: v.Log.tail(newest), foot: {v.Orders},
	}
	if s.GPU != nil {
		parts[card] = []string{s.GPU.Line()}
	}
	var have [numParts]int
	for i := range parts {
		have[i] = len(parts[i])
	}
	if world != nil {
		have[ground] = mapRows
	}
	if width < narrow {
		have[bar], have[table] = 0, 0
	}
	rows := deal(height, have)
	if rows[ground] > 0 {
		parts[ground] = world.draw(rows[ground], width)
	}
	parts[log] = parts[log][len(parts[log])-rows[log]:] // the newest, not the first
	var lines []string
	for i, part := range parts {
		for _, line := range part[:min(rows[i], len(part))] {
			lines = append(lines, paint(i, s, cut(line, width), colour))
		}
	}
	return lines
}

// cut shortens a line to a width, with a mark where something is missing.
func cut(line string, width int) string {
	if len(line) <= width {
		return line
	}
	runes := []rune(line)
	if len(runes) <= width {
		return line
	}
	return string(runes[:width-1]) + ">"
}

// paint colours a line of a part.
func paint(part int, s daemon.Status, line string, colour bool) string {
	const red, green, yellow, plain = "\x1b[1;31m", "\x1b[1;32m", "\x1b[33m", "\x1b[0m"
	shade := ""
	switch {
	case !colour:
	case part == why, part == head && (s.Failsafe == "STOPPED" || s.Failsafe == "LATCHED"):
		shade = red
	case part == head && s.Armed:
		shade = green
	case part == degraded:
		shade = yellow
	}
	if shade == "" {
		return line
	}
	return shade + line + plain
}

// headline describes the car's state, the most important words first.
func headline(s daemon.Status) string {
	armed := "disarmed"
	if s.Armed {
		armed = "ARMED"
	}
	return fmt.Sprintf("%s  %s  %s  body %s  link %s  quality %s  %s", armed, s.Failsafe, s.Mode, s.Body, s.Link, s.Rung, s.Engine)
}

// whyLines says why the car stands or is slow, and what to do.
func whyLines(s daemon.Status) []string {
	h := s.Hindrance
	if h == nil {
		return nil
	}
	lines := []string{h.What}
	if h.Remedy != "" {
		lines = append(lines, "remedy: "+h.Remedy)
	}
	return lines
}

// tableLines lists the latencies, the whole tick before its stages.
func tableLines(t loop.Table) []string {
	lines := []string{fmt.Sprintf("%-9s %9s %9s %9s %9s", "", "p50", "p99", "p99.9", "max")}
	rows := slices.Clone(t.Rows)
	if whole := int(loop.Busy); len(rows) > whole {
		rows = slices.Concat(rows[whole:], rows[:whole])
	}
	for _, r := range rows {
		if r.Count == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%-9s %9s %9s %9s %9s", r.Name,
			loop.Short(r.P50), loop.Short(r.P99), loop.Short(r.P999), loop.Short(r.Max)))
	}
	c := t.Counts
	return append(lines, fmt.Sprintf("ticks %d  overruns %d  skipped %d", c.Ticks, c.Overruns, c.Skipped))
}

// conditionLines lists the degraded parts.
func conditionLines(cs []loop.Condition) (lines []string) {
	for _, c := range cs {
		lines = append(lines, fmt.Sprintf("degraded: %s: %s", c.Name, c.Value))
	}
	return lines
}

// headingBar draws the output of the HEADING channel, left to right as the car
// sees it, under a mark for straight ahead.
func headingBar(s brain.Status) []string {
	const levels = " .:-=+*#%@"
	peak := int32(1)
	for _, f := range s.Heading {
		peak = max(peak, f)
	}
	n := len(s.Heading)
	bar := make([]byte, n)
	for i, f := range s.Heading { // bearing bins ascend to the left
		bar[n-1-i] = levels[int(int64(f)*int64(len(levels)-1)/int64(peak))]
	}
	return []string{
		"  left " + strings.Repeat(" ", n/2-1) + "v" + strings.Repeat(" ", n/2) + " right",
		fmt.Sprintf("heading[%s] %s", bar, s.Mode),
	}
}
