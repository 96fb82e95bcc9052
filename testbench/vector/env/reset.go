package env

import (
	"fmt"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/world"
)

// Names of a car's streams of noise, besides those of its fleet.
const (
	EpisodesName = "episodes"
	BeaconName   = "beacon"
)

// Reset begins new episodes. Car i takes the seed seeds[i] and begins its sequence
// anew; without seeds it goes on with its next episode. Where mask is not nil, only
// cars with a mask that is not 0 are reset.
func (e *Env) Reset(seeds []uint64, mask []uint8) error {
	switch n := len(e.cars); {
	case e.closed:
		return ErrClosed
	case seeds != nil && len(seeds) != n:
		return fmt.Errorf("env: %d seeds for %d cars", len(seeds), n)
	case mask != nil && len(mask) != n:
		return fmt.Errorf("env: a mask of %d for %d cars", len(mask), n)
	}
	for i := range e.cars {
		if mask != nil && mask[i] == 0 {
			continue
		}
		c := &e.cars[i]
		switch {
		case seeds != nil:
			c.episodes = noise.New(seeds[i], EpisodesName)
		case !c.known:
			c.episodes = noise.New(uint64(i), EpisodesName)
		}
		if !c.known {
			c.known = true
			e.fresh--
		}
		e.begin(i)
	}
	return nil
}

// ResetAll resets every car; car i takes the seed seed + i.
func (e *Env) ResetAll(seed uint64) error {
	if e.closed {
		return ErrClosed
	}
	for i := range e.cars {
		c := &e.cars[i]
		c.episodes, c.known = noise.New(seed+uint64(i), EpisodesName), true
		e.begin(i)
	}
	e.fresh = 0
	return nil
}

// begin begins a car's next episode.
func (e *Env) begin(i int) {
	c := &e.cars[i]
	at := int(c.episodes.Uint64() % uint64(len(e.places)))
	seed := c.episodes.Uint64()
	p := &e.places[at]
	e.fleet.Reset(i, at, p.start, seed)
	e.fleet.Sample(i)
	c.place, c.steps, c.over, c.total = at, 0, false, 0
	c.speed, c.steering = 0, 0
	face := world.Unit(p.start.Heading)
	switch e.options.Task {
	case Avoid:
		c.tail = p.start.At
	case Goal:
		c.beacon = noise.New(seed, BeaconName)
		body := p.body(p.start.At, face)
		c.left, _ = p.way.Left(body)
		e.look(c, p, body, p.start.Heading)
	case Line:
		c.footing, c.away = p.route.find(p.start.At.Add(face.Scale(p.car.FloorAhead))), 0
	case Explore:
		clear(e.seen[i*e.words : (i+1)*e.words])
		e.enter(i, p, p.body(p.start.At, face)) // the cell that it stands in earns nothing
	}
	e.observe(i, c)
	e.note(i, c, 0, Running)
}

// A Pose is where a car truly is, for pictures and judges; a policy must not see it.
type Pose struct{ X, Y, Heading, Speed float32 } // m, m, rad, m/s

// Pose returns a car's.
func (e *Env) Pose(i int) Pose {
	t := e.fleet.Truth(i)
	return Pose{float32(t.At.X), float32(t.At.Y), float32(t.Heading), float32(t.Speed)}
}

// World returns the number of the world that a car is in, the name of its family and
// the seed of the member.
func (e *Env) World(i int) (number int, name string, seed uint64) {
	number = e.cars[i].place
	n := len(e.options.Families)
	return number, e.options.Families[number%n], e.options.First + uint64(number/n)
}
