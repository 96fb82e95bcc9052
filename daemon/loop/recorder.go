package loop

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// A Stream is one measured duration of the loop: the stages of a tick under
// their brain.Stage numbers, then the three below.
type Stream uint8

// Streams after the tick's own stages.
const (
	Busy       = Stream(brain.NumStages) + iota // whole tick, its start to its end
	Wake                                        // lateness of every release, the skipped ones too
	Response                                    // sensor to motor: data ready to command written
	NumStreams                                  // how many there are
)

// String returns the stream's name as tables and telemetry print it.
func (s Stream) String() string {
	switch s {
	case Busy:
		return "busy"
	case Wake:
		return "wake-up"
	case Response:
		return "response"
	}
	return brain.Stage(s).String()
}

// Values are kept in nanoseconds with two significant digits (1 %), up to a
// minute; a histogram then takes 34 kB and stays in cache where it is used.
const (
	longest = int64(time.Minute)
	digits  = 2
)

// A series is a histogram with its exact maximum: the histogram's own is
// rounded up to its bucket, and the maximum is the figure people quote.
type series struct {
	h   *hdrhistogram.Histogram
	max int64
}

func (s *series) record(d time.Duration) {
	v := min(max(int64(d), 0), longest)
	_ = s.h.RecordValue(v) // the only error is a value out of range
	s.max = max(s.max, v)
}

// missed takes the lateness of the releases that a sample's tick left out: each
// has to wait until the next one. Without them the percentiles would be those of
// the releases that went well, and a loop that misses one in twenty would pass
// for punctual (HdrHistogram calls it coordinated omission and corrects a
// recorded value by its expected interval in the same way).
func (s *series) missed(t Sample) {
	if t.Skipped <= 0 || t.Next <= t.Release {
		return
	}
	period := (t.Next - t.Release) / time.Duration(t.Skipped+1)
	// Beyond the longest value all are alike; so the work here stays bounded
	// after a suspend of hours.
	apart := min(t.Skipped, int(time.Duration(longest)/max(period, field.MinPeriod)))
	for k := 1; k <= apart; k++ {
		s.record(time.Duration(k) * period)
	}
	if beyond := t.Skipped - apart; beyond > 0 {
		_ = s.h.RecordValues(longest, int64(beyond)) // in range by definition
		s.max = longest
	}
}

func (s *series) merge(from *series) {
	s.h.Merge(from.h)
	s.max = max(s.max, from.max)
	from.h.Reset()
	from.max = 0
}

type set [NumStreams]series

func newSet() *set {
	var s set
	for i := range s {
		s[i].h = hdrhistogram.New(1, longest, digits)
	}
	return &s
}

// A Recorder keeps one histogram per stream. The loop's thread records into one
// of two sets without a lock or an allocation; a slow goroutine asks for the
// other one by raising want, and owns the set the loop has left once the loop
// has seen it. Readers therefore never stop the loop, however many there are.
//
// The stages and Busy count one value per tick after the warm-up, Wake one per
// release after it whether or not its tick took place, Response one per written
// command from the start.
type Recorder struct {
	sets  [2]*set
	epoch uint32        // the loop's own copy of have
	want  atomic.Uint32 // set want&1 is the one to record into
	have  atomic.Uint32 // the set the loop has taken up

	mu    sync.Mutex
	total *set
}

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder {
	return &Recorder{sets: [2]*set{newSet(), newSet()}, total: newSet()}
}

// Record takes one tick's stages and its sample; it leaves out the ticks of the
// warm-up. Only the loop's thread may call it.
func (r *Recorder) Record(t *brain.Trace, s Sample) {
	if w := r.want.Load(); w != r.epoch {
		r.epoch = w
		r.have.Store(w)
	}
	if !s.Warm {
		return
	}
	into := r.sets[r.epoch&1]
	for i, d := range t.Laps {
		into[i].record(d)
	}
	into[Busy].record(s.End - s.Start)
	into[Wake].record(s.Start - s.Release)
	into[Wake].missed(s)
}

// Respond takes one sensor-to-motor time, during the warm-up as well. Only the loop's thread may call it.
func (r *Recorder) Respond(d time.Duration) {
	r.sets[r.epoch&1][Response].record(d)
}

// Publish merges the set the loop has left into the copy readers see and asks
// the loop to change sets again, so the copy is at most two calls old. It does
// nothing while the loop has not ticked since the last call.
func (r *Recorder) Publish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.want.Load()
	if r.have.Load() != w {
		return
	}
	r.absorb(r.sets[(w+1)&1])
	r.want.Store(w + 1)
}

// Finish merges both sets. Call it only after the loop has ended.
func (r *Recorder) Finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.absorb(r.sets[0])
	r.absorb(r.sets[1])
}

func (r *Recorder) absorb(from *set) {
	for i := range from {
		r.total[i].merge(&from[i])
	}
}

// Table returns the percentiles of everything published so far, with the
// loop's counters beside them. Any goroutine may call it.
func (r *Recorder) Table(c Counts) Table { return r.TableInto(nil, c) }

// TableInto is Table with its rows in the memory of rows, which grows where it is
// too short.
func (r *Recorder) TableInto(rows []Row, c Counts) Table {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := Table{Counts: c, Rows: slices.Grow(rows[:0], int(NumStreams))[:NumStreams]}
	for i := range t.Rows {
		s := &r.total[i]
		at := func(percent float64) time.Duration {
			return time.Duration(min(s.h.ValueAtPercentile(percent), s.max))
		}
		t.Rows[i] = Row{
			Name: Stream(i).String(), Count: s.h.TotalCount(),
			P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Max: time.Duration(s.max),
		}
	}
	return t
}

// Spread counts a stream's published values per bracket: element i counts those
// above edges[i-1] and up to edges[i], the last one those above every edge. The
// edges must ascend. A value may stand in the neighbouring bracket when it lies
// within 1 % of an edge.
func (r *Recorder) Spread(s Stream, edges []time.Duration) []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := make([]int64, len(edges)+1)
	for _, bar := range r.total[s].h.Distribution() {
		i := 0
		for i < len(edges) && time.Duration(bar.To) > edges[i] {
			i++
		}
		counts[i] += bar.Count
	}
	return counts
}
