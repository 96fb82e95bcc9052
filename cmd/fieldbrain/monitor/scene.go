package monitor

import (
	"fmt"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/field"
)

// A scene is everything that one picture shows.
type scene struct {
	now   time.Time
	wrong string // why nothing can be read

	run      telemetry.Run
	status   daemon.Status
	newest   telemetry.Tick // of the page
	shown    telemetry.Tick // the newest, or an older one of the ring
	back     time.Duration  // how far that one lies back
	period   time.Duration
	field    telemetry.Field
	ground   telemetry.Ground
	hasField bool
	hasFloor bool

	all    *[telemetry.NumStreams]telemetry.Histogram // since the start; nil when they cannot be read
	minute []moment                                   // up to the shown tick, the oldest first
	rows   []loop.Row                                 // what the table of stages lists
	recent bool                                       // those of the minute instead of those since the start
}

// histogramsEvery is how long a look at the histograms counts: they are half a
// megabyte, everything else of a page is 50 kilobytes.
const histogramsEvery = time.Second

// A watcher reads a run's page and ring.
type watcher struct {
	page    string
	now     func() time.Time
	history history

	all  *[telemetry.NumStreams]telemetry.Histogram
	read time.Time // when all was read
	of   time.Time // start of the run that all belongs to
}

// look reads what is to be shown at a place of the ring; record 0 is its end.
func (w *watcher) look(record uint64, recent bool) (s scene) {
	s.now, s.recent = w.now(), recent
	p, err := telemetry.OpenPage(w.page)
	if err != nil {
		s.wrong = err.Error()
		return s
	}
	defer p.Close()
	s.run = p.Run()
	s.period = max(s.run.Period, field.MinPeriod)
	s.status = daemon.StateOf(p, w.page, s.now)
	if n, err := p.Newest(); err == nil {
		s.newest = n.Tick
	}
	if s.field, err = p.Field(); err == nil {
		s.hasField = true
	}
	if s.ground, err = p.Ground(); err == nil {
		s.hasFloor = true
	}
	w.count(p, &s)
	s.shown = s.newest
	w.history.follow(telemetry.RingOf(w.page), &s, record)
	if s.back > 0 {
		s.status.SetTick(&s.shown)
		s.recent = true
	}
	if s.recent {
		s.rows = rowsOf(s.minute)
	}
	return s
}

// count reads the histograms, once a second.
func (w *watcher) count(p *telemetry.Page, s *scene) {
	if w.all == nil || !w.of.Equal(s.run.Since) || s.now.Sub(w.read) >= histogramsEvery {
		all, err := p.Histograms()
		if err != nil {
			s.status.Page.Missing = append(s.status.Page.Missing, err.Error())
			w.all = nil
			return
		}
		w.all, w.read, w.of = &all, s.now, s.run.Since
	}
	s.all, s.rows = w.all, rowsSince(w.all)
}

// rowsSince returns the histograms that hold something.
func rowsSince(all *[telemetry.NumStreams]telemetry.Histogram) (rows []loop.Row) {
	for i := range all {
		h := &all[i]
		if h.TotalCount() > 0 {
			rows = append(rows, loop.Row{
				Name: telemetry.Stream(i).String(), Count: h.TotalCount(),
				P50: h.At(50), P99: h.At(99), P999: h.At(99.9), Max: h.Longest,
			})
		}
	}
	return rows
}

// row returns the row of a stream, and whether it was measured.
func (s *scene) row(of telemetry.Stream) (loop.Row, bool) {
	for _, r := range s.rows {
		if r.Name == of.String() {
			return r, true
		}
	}
	return loop.Row{Name: of.String()}, false
}

// short is a length of time in at most six characters.
func short(d time.Duration) string {
	v, unit := float64(d), "ns"
	for _, next := range []string{"us", "ms", "s"} {
		if v < 999.5 {
			break
		}
		v, unit = v/1000, next
	}
	switch {
	case unit == "ns" || v >= 99.5:
		return fmt.Sprintf("%.0f%s", v, unit)
	case v >= 9.995:
		return fmt.Sprintf("%.1f%s", v, unit)
	}
	return fmt.Sprintf("%.2f%s", v, unit)
}
