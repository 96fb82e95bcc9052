package gauge

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/world"
)

const (
	spacing   = 0.1         // m between two samples of the way
	patience  = time.Second // a sample comes at least so often
	samples   = 256         // kept: the longest stretch below and as many seconds
	floorPart = 0.25        // of the floor that a disc covers at most
	newCells  = 1           // entered for the first time during a stretch, at most
)

// A size is one kind of circle that is looked for.
type size struct {
	radius float64       // m, of the disc around the stretch
	way    float64       // m, length of the stretch
	time   time.Duration // or so long; 0 asks for the way
	turns  float64       // about the middle of the disc, at least
	round  float64       // nearest to the middle over farthest, at least
	cross  float64       // the same, at most; 0 asks for nothing
}

// A sample is a place on the way.
type sample struct {
	at    world.Vec
	now   time.Duration
	way   float64
	cells int
}

// A Circling finds stretches in which the car moves and gets nowhere.
type Circling struct {
	sizes  [4]size
	ring   [samples]sample
	next   int // where the next sample goes
	count  int // samples kept
	marked time.Duration
	total  time.Duration
}

// NewCircling returns a Circling for a floor of that many square metres on which
// the car may move.
func NewCircling(floor float64) Circling {
	most := math.Sqrt(floorPart * floor / math.Pi)
	c := Circling{}
	for i, s := range []size{
		{radius: 0.3, way: 4 * math.Pi * 0.3, time: 20 * time.Second},
		{radius: 0.6, way: 4 * math.Pi * 0.6, time: 45 * time.Second},
		{radius: 1.0, way: 14, turns: 1.9, round: 0.6},
		{radius: 1.0, way: 14, cross: 0.2},
	} {
		if part := most / s.radius; part < 1 {
			s.radius, s.way = most, float64(part*s.way)
		}
		c.sizes[i] = s
	}
	return c
}

// Watch takes the body's place, the way driven forward and backward so far and
// the number of cells entered so far. Now counts only while the car moves.
func (c *Circling) Watch(now time.Duration, at world.Vec, way float64, cells int) {
	if c.count > 0 {
		last := c.back(0)
		if way-last.way < spacing && now-last.now < patience {
			return
		}
	}
	c.ring[c.next] = sample{at, now, way, cells}
	c.next = (c.next + 1) % samples
	c.count = min(c.count+1, samples)
	for i := range c.sizes {
		if first := c.stretch(&c.sizes[i]); first > 0 {
			from := max(c.back(first).now, c.marked)
			c.total += max(0, now-from)
			c.marked = max(c.marked, now)
		}
	}
}

// Pause forgets the way so far: what comes next is no part of a stretch with it.
func (c *Circling) Pause() { c.count = 0 }

// Time returns how long the car circled.
func (c *Circling) Time() time.Duration { return c.total }

// back returns the sample that many before the newest.
func (c *Circling) back(n int) *sample { return &c.ring[(c.next-1-n+2*samples)%samples] }

// stretch returns how many samples back a stretch of this size begins, 0 when
// the newest sample ends none.
func (c *Circling) stretch(s *size) int {
	newest := c.back(0)
	low, high := newest.at, newest.at
	for n := 1; n < c.count; n++ {
		p := c.back(n)
		if newest.cells-p.cells > newCells {
			return 0
		}
		low = world.Vec{X: min(low.X, p.at.X), Y: min(low.Y, p.at.Y)}
		high = world.Vec{X: max(high.X, p.at.X), Y: max(high.Y, p.at.Y)}
		if high.X-low.X > 2*s.radius || high.Y-low.Y > 2*s.radius {
			return 0
		}
		if newest.way-p.way >= s.way || s.time > 0 && newest.now-p.now >= s.time {
			if c.within(n, low.Add(high).Scale(0.5), s) {
				return n
			}
			return 0
		}
	}
	return 0
}

// within reports whether the newest n + 1 samples lie in the disc, and turn
// about its middle as often as they must.
func (c *Circling) within(n int, middle world.Vec, s *size) bool {
	turned, near, far := 0.0, math.Inf(1), 0.0
	last := c.back(0).at.Sub(middle)
	for i := range n + 1 {
		arm := c.back(i).at.Sub(middle)
		r := arm.Norm()
		if near, far = min(near, r), max(far, r); far > s.radius {
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
