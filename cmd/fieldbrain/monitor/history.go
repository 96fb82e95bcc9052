package monitor

import (
	"slices"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// span is how much of the past is shown at once.
const span = time.Minute

// A moment is what the last minute needs of one tick.
type moment struct {
	number  uint64
	end     int64 // ns, when it returned
	lasted  [telemetry.NumStreams]uint32
	skipped uint32
	level   uint8
	armed   bool
	x, y    float32 // m, in the frame of the start
	heading float32 // rad
}

// momentOf takes it out of a tick.
func momentOf(t *telemetry.Tick) moment {
	return moment{
		number: t.Number, end: t.End, lasted: t.Lasted, skipped: t.Skipped, level: t.Level,
		armed: t.Is(telemetry.TickArmed), x: t.X, y: t.Y, heading: t.Heading,
	}
}

// A history is a minute of a ring. It reads only what came since the look before.
type history struct {
	since          time.Time // start of the run that it belongs to
	last           uint64    // record of the newest moment
	moments        []moment  // twice a minute at most, the newest minute counts
	shown          telemetry.Tick
	oldest, newest uint64 // records that the ring held at the last look
}

// follow fills in the minute that ends at a record of the ring, 0 being its end, and
// the tick there. Without a ring it collects the page's ticks.
func (h *history) follow(ring string, s *scene, record uint64) {
	if !h.since.Equal(s.run.Since) {
		*h = history{since: s.run.Since}
	}
	size := max(1, int(span/s.period))
	r, err := telemetry.OpenRing(ring)
	if err != nil || !r.Run().Same(s.run) {
		if err == nil {
			r.Close()
		}
		h.oldest, h.newest = 0, 0
		h.add(&s.newest, size)
		s.minute = h.moments
		return
	}
	defer r.Close()
	if h.oldest, h.newest, err = r.Records(); err != nil || h.newest == 0 {
		return
	}
	at := h.newest
	if record > 0 {
		at = min(max(record, h.oldest), h.newest)
	}
	h.load(r, at, size)
	s.minute = h.moments[max(0, len(h.moments)-size):]
	if record == 0 || len(h.moments) == 0 || h.shown.End >= s.newest.End {
		return
	}
	s.shown = h.shown
	s.back = time.Duration(s.newest.End - h.shown.End)
}

// load makes the history end at a record.
func (h *history) load(r *telemetry.Ring, at uint64, size int) {
	more := size
	if at >= h.last && at-h.last < uint64(size) {
		more = int(at - h.last)
	} else {
		h.moments = h.moments[:0]
	}
	h.last = at
	flight, err := r.Until(at, more)
	if err != nil {
		return
	}
	for t := range flight.Ticks() {
		h.add(t, size)
		h.shown = *t
	}
}

// add appends a tick and forgets what is older than needed.
func (h *history) add(t *telemetry.Tick, size int) {
	if n := len(h.moments); n > 0 && h.moments[n-1].number == t.Number {
		return
	}
	if len(h.moments) >= 2*size {
		h.moments = h.moments[:copy(h.moments, h.moments[len(h.moments)-size:])]
	}
	h.moments = append(h.moments, momentOf(t))
}

// rowsOf returns the percentiles of some moments, stream by stream.
func rowsOf(minute []moment) (rows []loop.Row) {
	lengths := make([]uint32, 0, len(minute))
	for stream := range telemetry.NumStreams {
		lengths = lengths[:0]
		for i := range minute {
			if l := minute[i].lasted[stream]; l != telemetry.Absent {
				lengths = append(lengths, l)
			}
		}
		if len(lengths) == 0 {
			continue
		}
		slices.Sort(lengths)
		at := func(share float64) time.Duration {
			return time.Duration(lengths[min(len(lengths)-1, int(share*float64(len(lengths))))])
		}
		rows = append(rows, loop.Row{
			Name: stream.String(), Count: int64(len(lengths)),
			P50: at(0.5), P99: at(0.99), P999: at(0.999), Max: time.Duration(lengths[len(lengths)-1]),
		})
	}
	return rows
}
