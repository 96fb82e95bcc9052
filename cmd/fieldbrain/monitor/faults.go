package monitor

import (
	"fmt"

	"fieldbrain/robot/safety"
)

// A fault is a line of the panel of faults.
type fault struct {
	words string
	of    shade
}

// faults lists the causes that hold, each with its remedy, what a page lacks, and the
// degraded parts.
func (m *Monitor) faults() (list []fault) {
	s := &m.scene
	add := func(of shade, format string, words ...any) {
		list = append(list, fault{fmt.Sprintf(format, words...), of})
	}
	for _, f := range safety.Faults() {
		if safety.Causes(s.shown.Causes).Has(f.Cause) {
			of := warn
			if f.Level >= safety.Stopped {
				of = bad
			}
			add(of, "%s (%s, %s): %s", f.Means, f.Name, f.Level, f.Remedy)
		}
	}
	if s.status.Page != nil {
		for _, why := range s.status.Page.Missing {
			add(bad, "missing: %s", why)
		}
	}
	for _, d := range s.status.Conditions {
		add(warn, "degraded: %s: %s: %s", d.Name, d.Value, d.Remedy)
	}
	if why := s.status.Quality.Why; s.status.Rung != "full" && why != "" && why != "none" {
		add(warn, "reduced quality %s: %s", s.status.Rung, why)
	}
	if n := s.status.LogDropped + s.status.Refused; n > 0 {
		add(warn, "log lines dropped %d, connections refused %d", s.status.LogDropped, s.status.Refused)
	}
	return list
}

// drawFaults draws them, broken into lines where there is room.
func (m *Monitor) drawFaults(c canvas) {
	list := m.faults()
	if len(list) == 0 {
		c.text(0, 0, "no fault, nothing is degraded", c.style(good))
		return
	}
	row, spare := 0, c.height-len(list)
	for _, f := range list {
		rest := f.words
		for len(rest) > c.width && spare > 0 && c.width > 0 {
			c.text(row, 0, rest[:c.width], c.style(f.of))
			rest = rest[c.width:]
			row, spare = row+1, spare-1
		}
		c.text(row, 0, rest, c.style(f.of))
		row++
	}
}
