package pilots

import (
	"fmt"
	"slices"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
)

// A knob is a number of a pilot, with the bounds that tuning stays within.
type knob struct {
	name      string
	at        *float64
	low, high float64
}

// params are a pilot's numbers, which make its driver.
type params interface {
	knobs() []knob
	seat(v *view) driver
}

// A Knob is a number of a pilot that tuning may turn; its name ends in its unit.
type Knob struct {
	Name             string
	Value, Low, High float64
}

// oracle is the one name whose pilot looks at the world.
const oracle = "oracle"

// Names lists the pilots of this package, the oracle last.
func Names() []string { return append(Tunable(), oracle) }

// Tunable lists the pilots that have knobs.
func Tunable() []string {
	return []string{"reactive+", "attractor", "vfh", "dwa", "tangentbug", "astar", "mppi"}
}

// Named returns the pilot of a name, with the numbers tuned for the scenario's
// profile: one of Names, or reactive, vendor or noise of package testbench.
func Named(name string) (testbench.Pilot, bool) {
	switch name {
	case oracle:
		return Oracle, true
	case "reactive":
		return testbench.Reactive, true
	case "vendor":
		return testbench.Vendor, true
	case "noise":
		return testbench.Noise, true
	}
	if !slices.Contains(Tunable(), name) {
		return nil, false
	}
	return func(s testbench.Vehicle) (func(now time.Duration), error) {
		return sit(s, defaults(name, s.Scenario.Profile))
	}, true
}

// Knobs returns the numbers of a tunable pilot as tuned for a profile, in the
// order that With takes them; nil for any other name.
func Knobs(name string, profile plant.Profile) []Knob {
	p := defaults(name, profile)
	if p == nil {
		return nil
	}
	var list []Knob
	for _, k := range p.knobs() {
		list = append(list, Knob{k.name, *k.at, k.low, k.high})
	}
	return list
}

// With returns a tunable pilot with other numbers. Each must be within its
// knob's bounds.
func With(name string, values []float64) (testbench.Pilot, error) {
	p := defaults(name, plant.P1)
	if p == nil {
		return nil, fmt.Errorf("pilots: %q has no numbers; those that do: %q", name, Tunable())
	}
	knobs := p.knobs()
	if len(values) != len(knobs) {
		return nil, fmt.Errorf("pilots: %s takes %d numbers, not %d", name, len(knobs), len(values))
	}
	for i, k := range knobs {
		if !(values[i] >= k.low && values[i] <= k.high) {
			return nil, fmt.Errorf("pilots: %s of %s is %v: choose %v to %v", k.name, name, values[i], k.low, k.high)
		}
	}
	values = slices.Clone(values)
	return func(s testbench.Vehicle) (func(now time.Duration), error) {
		p := defaults(name, s.Scenario.Profile)
		for i, k := range p.knobs() {
			*k.at = values[i]
		}
		return sit(s, p)
	}, nil
}

// sit puts a driver into the seat. A line all follow alike, by testbench.Reactive:
// nothing of what they differ in sees the floor.
func sit(s testbench.Vehicle, p params) (func(now time.Duration), error) {
	if s.Scenario.Brain.FollowLine {
		return testbench.Reactive(s)
	}
	h, err := newHelm(s)
	if err != nil {
		return nil, err
	}
	h.driver = p.seat(&h.view)
	return h.tick, nil
}
