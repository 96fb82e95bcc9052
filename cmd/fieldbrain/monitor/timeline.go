package monitor

import (
	"fmt"
	"time"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// A stretch is what one column of the timeline shows.
type stretch struct {
	longest time.Duration // of the stream
	skipped uint64        // periods
	level   uint8         // the worst
	ticks   int
}

// stretches deals the last minute out to columns, the newest at the right.
func (s *scene) stretches(of telemetry.Stream, columns int) []stretch {
	list := make([]stretch, columns)
	if len(s.minute) == 0 {
		return list
	}
	end := s.minute[len(s.minute)-1].end
	for i := range s.minute {
		t := &s.minute[i]
		ago := end - t.end
		if ago < 0 || ago >= int64(span) {
			continue
		}
		at := &list[columns-1-int(ago*int64(columns)/int64(span))]
		at.ticks++
		at.level = max(at.level, t.level)
		at.skipped += uint64(t.skipped)
		if l := t.lasted[of]; l != telemetry.Absent {
			at.longest = max(at.longest, time.Duration(l))
		}
	}
	return list
}

// levels are the letters of a safety.Level in the timeline.
const levels = ".lhsL"

// drawTimeline draws the longest ticks of the last minute, overruns, and how far the
// failsafe let the car go.
func (m *Monitor) drawTimeline(c canvas) {
	s := &m.scene
	list := s.stretches(m.stream, max(c.width, 1))
	var skipped uint64
	longest := s.period / 2
	for _, at := range list {
		skipped += at.skipped
		longest = max(longest, at.longest)
	}
	c.title(fmt.Sprintf("last minute: %s up to %s, skipped %d", m.stream, short(longest), skipped))
	plot := c.within(1, 0, c.height-2, c.width)
	for i, at := range list {
		style := c.style(bar)
		switch {
		case at.ticks == 0:
			continue
		case at.skipped > 0:
			style = c.style(bad)
		}
		plot.column(0, i, float64(at.longest)/float64(longest), style)
		mark, of := rune('?'), dim
		if int(at.level) < len(levels) {
			mark = rune(levels[at.level])
		}
		switch {
		case at.skipped > 0:
			mark, of = '!', bad
		case at.level >= uint8(safety.Stopped):
			of = bad
		case at.level > uint8(safety.Normal):
			of = warn
		}
		c.put(c.height-1, i, mark, c.style(of))
	}
}
