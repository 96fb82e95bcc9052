package steer

import (
	"errors"
	"fmt"
)

// Params are the law's numbers that may be turned; what is safe does not depend on them.
type Params struct {
	Comfort float64 // m, an arc as long needs no other
	Ramp    float64 // m of way over which the speed rises from none to the cruise speed
	Creep   float64 // share of the cruise speed where the ground is not known
	Short   float64 // cost of an arc that is shut, beside one of Comfort; costs of arcs are in shares of the lock
	Blind   float64 // cost of one of which a car with one beam knows nothing
	Sides   float64 // the same where beams look to the sides, or on a table
	Keep    float64 // cost of one that is a lock from the last
	Steady  float64 // s in which the steering follows a choice
	Shut    float64 // s without a way ahead before a manoeuvre begins

	Gear      float64 // s that a change of gear costs in a manoeuvre; its costs are times
	ExitShort float64 // s that an exit without any way costs
	ExitBlind float64 // s that one costs of which nothing is known
	ExitOff   float64 // s per rad that one costs beside the aim
}

// Default returns the numbers that the car drives with.
func Default() Params {
	return Params{
		Comfort: 0.40, Ramp: 0.26, Creep: 0.3, Short: 1, Blind: 25, Sides: 8, Keep: 0.5, Steady: 0.13, Shut: 0.30,
		Gear: 0.6, ExitShort: 2, ExitBlind: 2, ExitOff: 1.5,
	}
}

// A Number is one of the Params by its name, which is the configuration's.
type Number struct {
	Name, Unit string
	Value      *float64
	Low, High  float64
	OneBeam    bool // read only where one beam looks ahead
}

// Numbers lists all of them with their limits.
func (p *Params) Numbers() []Number {
	return []Number{
		{"comfort", "m", &p.Comfort, 0.15, 0.7, false},
		{"ramp", "m", &p.Ramp, 0.1, 0.6, false},
		{"creep", "", &p.Creep, 0.1, 0.6, false},
		{"short", "", &p.Short, 0.1, 5, false},
		{"blind", "", &p.Blind, 1, 60, true},
		{"sides", "", &p.Sides, 0.5, 40, false},
		{"keep", "", &p.Keep, 0, 2, false},
		{"steady", "s", &p.Steady, 0.02, 0.5, false},
		{"shut", "s", &p.Shut, 0.05, 1, false},
		{"gear", "s", &p.Gear, 0.1, 3, false},
		{"exit_short", "s", &p.ExitShort, 0, 10, false},
		{"exit_blind", "s", &p.ExitBlind, 0, 10, false},
		{"exit_off", "s/rad", &p.ExitOff, 0, 10, false},
	}
}

// Validate returns every complaint, joined, each with its limits.
func (p *Params) Validate() error {
	var errs []error
	for _, n := range p.Numbers() {
		if !(*n.Value >= n.Low && *n.Value <= n.High) { // NaN fails
			errs = append(errs, fmt.Errorf("steer: %s %v %s must be within %v..%v", n.Name, *n.Value, n.Unit, n.Low, n.High))
		}
	}
	return errors.Join(errs...)
}
