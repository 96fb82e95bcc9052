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

// A size is one kind of disc that is looked for.
type size struct {
	radius float64       // m, of the disc around the stretch
	way    float64       // m, length of the stretch
	time   time.Duration // or so long
}

// A Circling finds stretches in which the car moves and gets nowhere.
type Circling struct {
	ground  *Ground
	seen    []bool // cells that were entered
	entered int
	sizes   [2]size
	near    trail // samples close together, for the discs
	rounds  rounds
	marked  time.Duration
	total   time.Duration
}

// NewCircling returns a Circling for the floor on which the body may be.
func NewCircling(ground *Ground) *Circling {
	most := math.Sqrt(floorPart * ground.Area() / math.Pi)
	c := &Circling{
		ground: ground, seen: make([]bool, len(ground.reach)),
		near: newTrail(samples), rounds: newRounds(ground),
	}
	for i, s := range []size{
		{radius: 0.3, way: 4 * math.Pi * 0.3, time: 20 * time.Second},
		{radius: 0.6, way: 4 * math.Pi * 0.6, time: 45 * time.Second},
	} {
		if part := most / s.radius; part < 1 {
			s.radius, s.way = most, float64(part*s.way)
		}
		c.sizes[i] = s
	}
	return c
}

// Watch takes the place of the body's middle, the way driven forward and backward so
// far, and how often something else than a new cell was found so far. Now counts only
// while the car moves.
func (c *Circling) Watch(now time.Duration, at world.Vec, way float64, found int) {
	if cell := c.ground.cell(at); cell >= 0 && !c.seen[cell] {
		c.seen[cell] = true
		c.entered++
	}
	place := sample{at: at, now: now, way: way, cells: c.entered + found}
	if c.near.due(place, spacing, patience) {
		c.near.add(place)
		for i := range c.sizes {
			if first := c.near.stretch(&c.sizes[i]); first > 0 {
				c.mark(c.near.back(first).now, now)
			}
		}
	}
	if c.rounds.trail.due(place, lapSpacing, never) {
		if from, found := c.rounds.watch(place, c.ground); found {
			c.mark(from.now, now)
		}
	}
}

// Pause forgets the way so far: what comes next is no part of a stretch with it.
func (c *Circling) Pause() {
	c.near.count = 0
	c.rounds.pause()
}

// Time returns how long the car circled.
func (c *Circling) Time() time.Duration { return c.total }

// mark counts a stretch. What an earlier stretch counted is not counted again.
func (c *Circling) mark(from, now time.Duration) {
	c.total += max(0, now-max(from, c.marked))
	c.marked = max(c.marked, now)
}
