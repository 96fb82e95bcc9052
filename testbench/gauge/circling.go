package gauge

import (
	"math"
	"time"

	"fieldbrain/testbench/world"
)

const (
	spacing   = 0.1         // m between two samples of the way
	patience  = time.Second // a sample comes at least so often
	floorPart = 0.25        // of the floor that a disc covers at most
	newCells  = 1           // entered for the first time during a stretch, at most
)

// lapSpacing is how many m lie between two samples of a wide circle: 256 of them
// hold a lap and a half of 13 m radius.
const lapSpacing = 0.5

// A size is one kind of circle that is looked for.
type size struct {
	radius float64       // m, of the disc around the stretch; 0 allows any
	way    float64       // m, length of the stretch
	laps   float64       // circumferences of the disc that it is long at least
	time   time.Duration // or so long; 0 asks for the way
	turns  float64       // about the middle of the disc, at least
	round  float64       // nearest to the middle over farthest, at least
	cross  float64       // the same, at most; 0 asks for nothing
}

// wide returns a circle of any size that is driven again and again. A lap of a
// room, of corridors or of a table has corners and is none: a square has 0.71 for
// round, one of 3 m with corners of 0.8 m radius 0.83.
func wide() size { return size{way: 14, laps: 1.5, turns: 1.4, round: 0.9} }

// A Circling finds stretches in which the car moves and gets nowhere.
type Circling struct {
	sizes  [4]size
	wide   size
	near   trail // samples close together, for the sizes
	far    trail // and far apart, for wide circles
	marked time.Duration
	total  time.Duration
}

// NewCircling returns a Circling for a floor of that many square metres on which
// the car may move.
func NewCircling(floor float64) Circling {
	most := math.Sqrt(floorPart * floor / math.Pi)
	c := Circling{wide: wide()}
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
	place := sample{at, now, way, cells}
	if c.near.due(place, spacing, patience) {
		c.near.add(place)
		for i := range c.sizes {
			c.mark(&c.near, &c.sizes[i])
		}
	}
	if c.far.due(place, lapSpacing, never) {
		c.far.add(place)
		c.mark(&c.far, &c.wide)
	}
}

// Pause forgets the way so far: what comes next is no part of a stretch with it.
func (c *Circling) Pause() { c.near.count, c.far.count = 0, 0 }

// Time returns how long the car circled.
func (c *Circling) Time() time.Duration { return c.total }

// mark counts the stretch of this size that ends with the newest sample, if
// there is one. What an earlier stretch counted is not counted again.
func (c *Circling) mark(t *trail, s *size) {
	first := t.stretch(s)
	if first == 0 {
		return
	}
	now := t.back(0).now
	c.total += max(0, now-max(t.back(first).now, c.marked))
	c.marked = max(c.marked, now)
}
