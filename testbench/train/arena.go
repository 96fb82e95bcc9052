package train

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// An arena is a world that a fleet drives in.
type arena struct {
	scenario *scenarios.Scenario
	site     vector.Site
	most     map[float64]float64 // share of the cells that can be entered in so many seconds
	ground   *gauge.Ground
	columns  int // cells of testbench's coverage
	cells    int
	seat     testbench.Vehicle // what a driver is told
}

// open makes a world of the train set, for drives of some lengths in seconds.
func open(name string, seed uint64, period time.Duration, lengths ...float64) (*arena, error) {
	sc, err := family.Make(name, family.Train, seed)
	if err != nil {
		return nil, err
	}
	if err := fit(name, sc); err != nil {
		return nil, err
	}
	m, err := oracle.Survey(sc, seed)
	if err != nil {
		return nil, fmt.Errorf("train: %s: %w", sc.Name, err)
	}
	w, start, err := sc.Build(seed)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	size := w.Max.Sub(w.Min)
	a := &arena{
		scenario: sc, site: vector.Site{World: w, Car: sc.Car, Start: start},
		most:    map[float64]float64{},
		ground:  gauge.NewGround(w, start.At.Add(world.Unit(start.Heading).Scale(sc.Car.BodyAhead)), sc.Car.BodyRadius),
		columns: max(1, int(math.Ceil(float64(size.X/oracle.Visit)-1e-9))),
		seat:    testbench.Vehicle{Period: period, Scenario: sc, Seed: seed, Params: testbench.Calibrated(sc)},
	}
	a.cells = a.columns * max(1, int(math.Ceil(float64(size.Y/oracle.Visit)-1e-9)))
	for _, seconds := range lengths {
		a.most[seconds] = m.Coverage(time.Duration(seconds * float64(time.Second)))
	}
	return a, nil
}

// fit refuses a family by one of its worlds.
func fit(name string, sc *scenarios.Scenario) error {
	if why := unfit(sc); why != "" {
		return fmt.Errorf("train: %s %s: choose a family in which the car may drive anywhere, such as room, legs, hall, rounds or movers", name, why)
	}
	return nil
}

// unfit says what a fleet, or a policy, cannot do in a world.
func unfit(sc *scenarios.Scenario) string {
	switch {
	case sc.Stop != "" || sc.Brain.Goal:
		return "has a place to go to, of which a policy sees nothing"
	case sc.Brain.FollowLine:
		return "has a line to follow, of which a policy sees nothing"
	case len(sc.World.Floor.Table) > 0:
		return "has edges, and no fleet sees a car fall"
	case len(sc.Faults) > 0:
		return "has faults, and a fleet has none"
	}
	return ""
}

// somewhere draws a pose that is free, the start where none is found.
func (a *arena) somewhere(dice *noise.Stream) plant.Pose {
	const tries, air = 100, 0.02 // m
	w, body := a.site.World, a.site.Car
	for range tries {
		p := plant.Pose{
			At:      world.Vec{X: dice.Between(w.Min.X, w.Max.X), Y: dice.Between(w.Min.Y, w.Max.Y)},
			Heading: dice.Between(-math.Pi, math.Pi),
		}
		middle := p.At.Add(world.Unit(p.Heading).Scale(body.BodyAhead))
		if w.Distance(middle) > body.BodyRadius+air {
			return p
		}
	}
	return a.site.Start
}

// cell returns the number of the cell that a place lies in, -1 beyond the floor.
func (a *arena) cell(p world.Vec) int {
	low := a.site.World.Min
	x, y := int(math.Floor((p.X-low.X)/oracle.Visit)), int(math.Floor((p.Y-low.Y)/oracle.Visit))
	if x < 0 || x >= a.columns || y < 0 || y >= a.cells/a.columns {
		return -1
	}
	return y*a.columns + x
}

// profileOf returns the family's name for a profile.
func profileOf(name string, profile plant.Profile) string {
	if profile == plant.P0 {
		return name + "-p0"
	}
	return name
}
