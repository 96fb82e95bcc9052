package gauge

import (
	"math"
	"time"

	"fieldbrain/testbench/world"
)

const (
	samples = 256           // kept: the longest stretch of circling.go and as many seconds
	never   = math.MaxInt64 // a patience without an end
)

// A sample is a place on the way.
type sample struct {
	at    world.Vec
	step  world.Vec // from the sample before; rounds alone looks at it
	now   time.Duration
	way   float64
	cells int
}

// A trail keeps the newest samples of the way.
type trail struct {
	ring  []sample
	next  int // where the next sample goes
	count int // samples kept
}

// newTrail returns one that keeps so many.
func newTrail(most int) trail { return trail{ring: make([]sample, most)} }

// due reports whether a place is so far from the newest sample, or so much later.
func (t *trail) due(place sample, spacing float64, patience time.Duration) bool {
	if t.count == 0 {
		return true
	}
	last := t.back(0)
	return place.way-last.way >= spacing || place.now-last.now >= patience
}

// add keeps a sample in place of the oldest.
func (t *trail) add(place sample) {
	t.ring[t.next] = place
	t.next = (t.next + 1) % len(t.ring)
	t.count = min(t.count+1, len(t.ring))
}

// back returns the sample that many before the newest.
func (t *trail) back(n int) *sample { return &t.ring[(t.next-1-n+2*len(t.ring))%len(t.ring)] }

// stretch returns how many samples back a stretch of this size begins, 0 when
// the newest sample ends none.
func (t *trail) stretch(s *size) int {
	newest := t.back(0)
	low, high := newest.at, newest.at
	for n := 1; n < t.count; n++ {
		p := t.back(n)
		if newest.cells-p.cells > newCells {
			return 0
		}
		low = world.Vec{X: min(low.X, p.at.X), Y: min(low.Y, p.at.Y)}
		high = world.Vec{X: max(high.X, p.at.X), Y: max(high.Y, p.at.Y)}
		if max(high.X-low.X, high.Y-low.Y) > 2*s.radius {
			return 0
		}
		if newest.way-p.way >= s.way || newest.now-p.now >= s.time {
			if t.within(n, low.Add(high).Scale(0.5), s) {
				return n
			}
			return 0
		}
	}
	return 0
}

// within reports whether the newest n + 1 samples lie in the disc.
func (t *trail) within(n int, middle world.Vec, s *size) bool {
	for i := range n + 1 {
		if t.back(i).at.Sub(middle).Norm() > s.radius {
			return false
		}
	}
	return true
}
