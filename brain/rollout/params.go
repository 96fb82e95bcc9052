package rollout

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// Params are the sizes, the body's and the costs' constants.
type Params struct {
	Trajectories int           // of a plan, 16..65536
	Steps        int           // of a trajectory, 2..512
	Step         time.Duration // of one

	Wheelbase float32       // m
	Ahead     float32       // m from the rear axle to the reference point
	Lock      float32       // rad, largest angle of the wheels
	Fast      float32       // m/s, largest speed
	Back      float32       // m/s, largest speed backwards
	Lag       time.Duration // of the motors, first order
	ServoRate float32       // rad/s

	SteerNoise, SpeedNoise float32       // rad, m/s; standard deviations
	Hold                   time.Duration // time constant of the noise
	Temperature            float32       // of the weights, in units of cost

	Risk, Crash, Look, Reach, Goal, Turn, Reverse, Backing, Length, Lean float32 // see the package comment

	Touch float32 // risk that counts as a touch, 0..1
}

// Default returns the sizes of Nav2's published figure and the PiCar-X.
func Default() Params {
	return Params{
		Trajectories: 2000, Steps: 56, Step: 50 * time.Millisecond,
		Wheelbase: kit.Wheelbase, Ahead: kit.Ahead, Lock: robot.DefaultLimits().Steering, Fast: kit.TopSpeed, Back: 0.2,
		Lag: kit.Lag, ServoRate: kit.ServoRate,
		SteerNoise: 0.35, SpeedNoise: 0.12, Hold: 400 * time.Millisecond, Temperature: 0.3,
		Risk: 10, Crash: 50, Look: 8, Reach: 10, Goal: 20, Turn: 0.1, Reverse: 0.5, Backing: 5, Length: 0.2, Lean: 0.02,
		Touch: 0.5,
	}
}

// Validate returns every complaint, joined, each with its limits.
func (p *Params) Validate() error {
	var errs []error
	for _, q := range []struct {
		name             string
		value, low, high float32
	}{
		{"trajectories", float32(p.Trajectories), block, 1 << 16},
		{"steps", float32(p.Steps), 2, 512},
		{"step in s", float32(p.Step.Seconds()), 0.005, 0.2},
		{"wheelbase", p.Wheelbase, 0.05, 0.5},
		{"reference point", p.Ahead, 0, 0.3},
		{"lock", p.Lock, 0.05, 0.6},
		{"speed", p.Fast, 0.01, 2},
		{"speed backwards", p.Back, 0, 2},
		{"motor lag in s", float32(p.Lag.Seconds()), 0, 1},
		{"servo rate", p.ServoRate, 0.1, 100},
		{"noise of the steering", p.SteerNoise, 0.001, 1},
		{"noise of the speed", p.SpeedNoise, 0.001, 2},
		{"hold of the noise in s", float32(p.Hold.Seconds()), 0, 10},
		{"temperature", p.Temperature, 1e-3, 1e3},
		{"cost of risk", p.Risk, 0, 1000},
		{"cost of a touch", p.Crash, 0, 1000},
		{"worth of looks", p.Look, 0, 1000},
		{"worth of the way to unknown floor", p.Reach, 0, 1000},
		{"cost of the goal", p.Goal, 0, 1000},
		{"cost of turning", p.Turn, 0, 1000},
		{"cost of reversing", p.Reverse, 0, 1000},
		{"cost of backing", p.Backing, 0, 1000},
		{"cost of length", p.Length, 0, 1000},
		{"cost of noise along the plan", p.Lean, 0, 1000},
		{"risk that touches", p.Touch, 0.01, 1},
	} {
		if !(q.value >= q.low && q.value <= q.high) {
			errs = append(errs, fmt.Errorf("rollout: %s %v must be within %v..%v", q.name, q.value, q.low, q.high))
		}
	}
	if turn := float32(max(p.Fast, p.Back) * float32(p.Step.Seconds())); turn > 0.4*p.Wheelbase/0.35 {
		errs = append(errs, fmt.Errorf("rollout: %v m per step is too far for a wheelbase of %v m: choose a shorter step or a lower speed", turn, p.Wheelbase))
	}
	return errors.Join(errs...)
}
