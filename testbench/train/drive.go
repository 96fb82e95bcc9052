package train

import (
	"context"
	"time"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/suite"
	"fieldbrain/testbench/vector"
)

// Period is the time between two ticks of a car in training.
const Period = 10 * time.Millisecond

// group is how many blocks of cars one goroutine drives to the end before it takes
// others: what they need stays in its cache.
const group = 4

// A race is every policy in every arena. Two policies in the same arena hear the same
// noise and start at the same place.
type race struct {
	arenas  []*arena
	seconds float64
	noise   uint64 // seed
	scatter bool   // every other arena's cars start anywhere instead of at its start

	fleet   *vector.Fleet
	cars    []*car
	sectors []int
}

// steps returns how many steps the cars of so many policies take.
func (r *race) steps(policies int) uint64 {
	return uint64(policies*len(r.arenas)) * uint64(r.seconds*float64(time.Second)/float64(plant.Tick))
}

// line puts every policy into every arena.
func (r *race) line(policies []*policy.Policy) (err error) {
	o := vector.Options{Cars: len(policies) * len(r.arenas), Profile: policies[0].Profile()}
	starts, seeds := make([]plant.Pose, len(r.arenas)), make([]uint64, len(r.arenas))
	for i, a := range r.arenas {
		dice := noise.New(r.noise, a.scenario.Name)
		o.Sites, starts[i], seeds[i] = append(o.Sites, a.site), a.site.Start, dice.Uint64()
		if r.scatter && i%2 == 1 {
			starts[i] = a.somewhere(&dice)
		}
	}
	if r.fleet, err = vector.New(o); err != nil {
		return err
	}
	r.sectors = o.Profile.Sectors()
	for i := range o.Cars {
		at := i % len(r.arenas)
		c, err := newCar(i, policies[i/len(r.arenas)], r.arenas[at])
		if err != nil {
			return err
		}
		r.cars = append(r.cars, c)
		r.fleet.Reset(i, at, starts[at], seeds[at])
	}
	return nil
}

// run drives all cars to the end on so many goroutines.
func (r *race) run(ctx context.Context, workers int) error {
	blocks := (len(r.cars) + vector.Lanes - 1) / vector.Lanes
	parts := (blocks + group - 1) / group
	return suite.Each(ctx, workers, parts, nil, func(part int) error {
		low, high := part*blocks/parts*vector.Lanes, (part+1)*blocks/parts*vector.Lanes
		return r.drive(ctx, part, parts, r.cars[low:min(high, len(r.cars))])
	})
}

// drive drives one part of the fleet to the end.
func (r *race) drive(ctx context.Context, part, parts int, cars []*car) error {
	every, age := int(Period/plant.Tick), lead(Period)
	r.fleet.StepPart(part, parts, age)
	end := time.Duration(r.seconds * float64(time.Second))
	for now := Period; now <= end; now += Period {
		if now%time.Second == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.fleet.StepPart(part, parts, every)
		age += every
		for _, c := range cars {
			c.sense(r.fleet, r.sectors, age, now, Period)
			c.tick(r.fleet, now)
			truth := r.fleet.Truth(c.number)
			c.score.watch(&truth, r.fleet.Episode(c.number).Odometer, now)
		}
	}
	return nil
}

// costs returns every policy's mean cost over its arenas.
func (r *race) costs(policies int) []float64 {
	list, arenas := make([]float64, policies), len(r.cars)/policies
	for i, c := range r.cars {
		list[i/arenas] += c.score.cost(r.fleet.Episode(i), r.seconds) / float64(arenas)
	}
	return list
}
