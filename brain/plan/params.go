package plan

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/robot/kit"
)

// Params are the body's and the score's constants.
type Params struct {
	Wheelbase float32       // m
	Ahead     float32       // m from the rear axle to the reference point
	Height    float32       // m of the sensors above the floor
	Cruise    float32       // m/s, speed of the fast actions
	Lag       time.Duration // of the motors, first order
	ServoRate float32       // rad/s
	Lock      float32       // rad, largest angle of the wheels; the actions have no larger one than 30 degrees

	Look, Ground, Reach, Risk, Goal, Agree, Turn, Back, Discount float32 // weights, see the package comment
}

// Default returns the parameters of the PiCar-X.
func Default() Params {
	return Params{
		Wheelbase: kit.Wheelbase, Ahead: kit.Ahead, Height: kit.SonarAbove, Cruise: kit.TopSpeed,
		Lag: kit.Lag, ServoRate: kit.ServoRate, Lock: lock,
		Look: 1, Ground: 0.15, Reach: 10, Risk: 3, Goal: 20, Agree: 0.3, Turn: 0.1, Back: 1.5, Discount: 0.8,
	}
}

// Validate returns every complaint, joined, each with its limits.
func (p *Params) Validate() error {
	var errs []error
	for _, q := range []struct {
		name             string
		value, low, high float32
	}{
		{"wheelbase", p.Wheelbase, 0.05, 0.5},
		{"reference point", p.Ahead, 0, 0.3},
		{"sensor height", p.Height, 0.01, 1},
		{"cruise speed", p.Cruise, 0.01, 2},
		{"servo rate", p.ServoRate, 0.1, 100},
		{"lock", p.Lock, 0.05, 0.6},
		{"motor lag", float32(p.Lag.Seconds()), 0, 1},
		{"weight of looks", p.Look, 0, 100},
		{"weight of the floor", p.Ground, 0, 100},
		{"weight of the way to unknown floor", p.Reach, 0, 100},
		{"weight of risk", p.Risk, 0, 100},
		{"weight of the goal", p.Goal, 0, 100},
		{"weight of the field", p.Agree, 0, 100},
		{"weight of turning", p.Turn, 0, 100},
		{"weight of backing", p.Back, 0, 100},
		{"discount", p.Discount, 0, 1},
	} {
		if !(q.value >= q.low && q.value <= q.high) {
			errs = append(errs, fmt.Errorf("plan: %s %v must be within %v..%v", q.name, q.value, q.low, q.high))
		}
	}
	return errors.Join(errs...)
}

// Effort is how much a planner may do; the quality governor scales it. The zero
// value is off.
type Effort struct {
	RaysPerTick int // per Advance, in steps of 128; 0 switches planning off
	Rays        int // at most per pose, 512..4096 in powers of two
	Depth       int // actions in a row, 1..3
	Beam        int // sequences kept per level, 1..4
}

// Full returns the effort at which nothing is degraded.
func Full() Effort { return Effort{RaysPerTick: 512, Rays: 2048, Depth: 2, Beam: 3} }

// On reports whether anything is planned at all.
func (e Effort) On() bool { return e.RaysPerTick > 0 }

// bounded returns the effort within its limits.
func (e Effort) bounded() Effort {
	return Effort{
		RaysPerTick: min(e.RaysPerTick, 1<<20),
		Rays:        min(max(e.Rays, firstRows*unit), 4096),
		Depth:       min(max(e.Depth, 1), maxDepth),
		Beam:        min(max(e.Beam, 1), maxBeam),
	}
}
