package gauge

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/world"
)

const (
	samples = 256           // kept: the longest stretch of circling.go and as many seconds
	never   = math.MaxInt64 // a patience without an end
)

// A sample is a place on the way.
type sample struct {
	at    world.Vec
	now   time.Duration
	way   float64
	cells int
}

// A trail keeps the newest samples of the way.
type trail struct {
	ring  [samples]sample
	next  int // where the next sample goes
	count int // samples kept
}

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
	t.next = (t.next + 1) % samples
	t.count = min(t.count+1, samples)
}

// back returns the sample that many before the newest.
func (t *trail) back(n int) *sample { return &t.ring[(t.next-1-n+2*samples)%samples] }

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
		if s.radius > 0 && max(high.X-low.X, high.Y-low.Y) > 2*s.radius {
			return 0
		}
		if newest.way-p.way >= s.length(low, high) || s.time > 0 && newest.now-p.now >= s.time {
			if t.within(n, low.Add(high).Scale(0.5), s) {
				return n
			}
			return 0
		}
	}
	return 0
}

// length returns how long a stretch must be that lies between two corners. On
// the first lap of a circle the corners move apart faster than laps are driven.
func (s *size) length(low, high world.Vec) float64 {
	return max(s.way, float64(s.laps*math.Pi*max(high.X-low.X, high.Y-low.Y)))
}

// within reports whether the newest n + 1 samples lie in the disc, and turn
// about its middle as often as they must.
func (t *trail) within(n int, middle world.Vec, s *size) bool {
	turned, near, far := 0.0, math.Inf(1), 0.0
	last := t.back(0).at.Sub(middle)
	for i := range n + 1 {
		arm := t.back(i).at.Sub(middle)
		r := arm.Norm()
		if near, far = min(near, r), max(far, r); s.radius > 0 && far > s.radius {
			return false
		}
		if s.turns > 0 {
			turned += exact.Atan2(last.Cross(arm), last.Dot(arm))
		}
		last = arm
	}
	if s.cross > 0 && near > float64(s.cross*far) {
		return false
	}
	return math.Abs(turned) >= float64(s.turns*2*math.Pi) && near >= float64(s.round*far)
}
