package monitor

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// shownOrder lists the streams as the table has them: the whole tick first, so that it
// stays where there is little room.
var shownOrder = []telemetry.Stream{
	telemetry.Busy, telemetry.Wake, telemetry.Step, telemetry.Encode, telemetry.Evolve, telemetry.Plan, telemetry.Match,
	telemetry.Response, telemetry.Age, telemetry.Decode, telemetry.Sense, telemetry.Reflex, telemetry.Act, telemetry.Doorbell,
}

// stageColumns is how wide the table is without its bars.
const stageColumns = 9 + 4*7 + 1

// drawStages draws the table of the stages; its bars compare them with the period.
func (m *Monitor) drawStages(c canvas) {
	s := &m.scene
	since := "start"
	if s.recent {
		since = "minute"
	}
	head := fmt.Sprintf("%-9s%7s%7s%7s%7s", since, "p50", "p99", "p99.9", "max")
	room := c.width - stageColumns
	const whole = len(" p99 of 5.00ms")
	switch {
	case room >= whole:
		head += " p99 of " + short(s.period)
	case room >= 6:
		head += " p99"
	}
	c.title(head)
	row := 1
	for _, stream := range shownOrder {
		r, is := s.row(stream)
		if !is || row >= c.height {
			continue
		}
		style := c.style(ordinary)
		if stream == m.stream {
			style = c.style(blue)
		}
		c.text(row, 0, fmt.Sprintf("%-9s%7s%7s%7s%7s", r.Name, short(r.P50), short(r.P99), short(r.P999), short(r.Max)), style)
		if room >= 6 {
			drawBar(c.within(row, stageColumns, 1, room), r, s.period*periods(stream))
		}
		row++
	}
	if row == 1 {
		c.text(1, 0, "nothing was measured: time stands still within a tick of virtual time", c.style(dim))
	}
}

// periods is how many of them a stream may take: two from a sensor to a motor.
func periods(s telemetry.Stream) time.Duration {
	if s == telemetry.Age || s == telemetry.Response {
		return 2
	}
	return 1
}

// drawBar draws the 99th percentile as a share of the time that there is, and marks the longest.
func drawBar(c canvas, r loop.Row, limit time.Duration) {
	share := func(d time.Duration) int {
		return int(min(float64(d)/float64(limit), 1)*float64(c.width-1) + 0.5)
	}
	style := c.style(bar)
	switch {
	case r.P99 > limit:
		style = c.style(bad)
	case r.P99 > limit/2:
		style = c.style(warn)
	}
	for i := range share(r.P99) {
		c.put(0, i, '=', style)
	}
	mark := '|'
	if r.Max > limit {
		mark = '!'
	}
	c.put(0, share(r.Max), mark, c.style(warn))
}

// drawHistogram draws how often each length of a stream came, both on a logarithmic
// scale, with the percentiles and the overruns.
func (m *Monitor) drawHistogram(c canvas) {
	s := &m.scene
	r, is := s.row(m.stream)
	if !is && len(s.rows) > 0 {
		r = s.rows[len(s.rows)-1]
		for i := range telemetry.NumStreams {
			if i.String() == r.Name {
				m.stream = i
			}
		}
	}
	counts := s.status.Table.Counts
	c.title(fmt.Sprintf("%s p50 %s p99 %s  overruns %d of %d", r.Name, short(r.P50), short(r.P99), counts.Overruns, counts.Ticks))
	if r.Count == 0 || c.height < 3 {
		return
	}
	bins, from, to := m.bins(r, c.width)
	most := slices.Max(bins)
	plot := c.within(1, 0, c.height-2, c.width)
	for i, n := range bins {
		style := c.style(bar)
		if at := from * math.Pow(to/from, float64(i+1)/float64(len(bins))); at > float64(s.period) {
			style = c.style(bad)
		}
		if n > 0 {
			plot.column(0, i, math.Log1p(float64(n))/math.Log1p(float64(most)), style)
		}
	}
	left, right := short(time.Duration(from)), short(time.Duration(to))
	c.text(c.height-1, 0, left, c.style(dim))
	c.text(c.height-1, max(0, c.width-len(right)), right, c.style(dim))
	for _, p := range []struct {
		name string
		d    time.Duration
	}{{"p50", r.P50}, {"p99", r.P99}} {
		at := binOf(float64(p.d), from, to, c.width)
		if at > len(left) && at+len(p.name) < c.width-len(right) {
			c.text(c.height-1, at, "^"+p.name, c.style(dim))
		}
	}
}

// bins counts a stream's lengths in so many bins of equal ratio, which reach from one
// bound to the other, in ns.
func (m *Monitor) bins(r loop.Row, n int) (bins []int64, from, to float64) {
	s := &m.scene
	bins = make([]int64, max(n, 1))
	from, to = math.Inf(1), max(float64(r.Max), 2)
	each := func(count func(v float64, times int64)) {
		if s.recent || s.all == nil {
			for i := range s.minute {
				if l := s.minute[i].lasted[m.stream]; l != telemetry.Absent {
					count(float64(l), 1)
				}
			}
			return
		}
		for _, b := range s.all[m.stream].Distribution() {
			if b.Count > 0 {
				count(float64(b.From+b.To)/2, b.Count)
			}
		}
	}
	each(func(v float64, _ int64) { from = min(from, v) })
	from = min(max(from, 1), to/2)
	each(func(v float64, times int64) { bins[binOf(v, from, to, len(bins))] += times })
	return bins, from, to
}

// binOf returns the bin of a length.
func binOf(v, from, to float64, n int) int {
	at := math.Log(max(v, from)/from) / math.Log(to/from) * float64(n)
	return min(max(int(at), 0), n-1)
}
