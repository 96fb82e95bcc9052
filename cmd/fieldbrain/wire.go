package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// A car is a body, an engine and a brain put together. The service knows the
// three only through these functions; this file is the one place that builds
// them.
type car struct {
	engine string     // which implementation steps the field
	body   robot.Body // its Halt must be safe from any goroutine, beside Sense and Act

	// Called by the loop's thread only.
	tick      func(now time.Duration) brain.Trace
	arm       func() error // refuses with every reason that stands against it
	disarm    func()
	estop     func()
	reset     func() error
	publish   func()                        // hands the newest state to describe
	responses func(dst []time.Duration) int // drains sensor-to-motor times

	// Called by slow goroutines.
	describe func(*daemon.Status) // fills in the car's part
	picture  func() []string      // heading bar and map for the live view
	work     func(ctx context.Context) error
	close    func() error
}

// errNotBuilt is what commands say whose part is not in this program yet.
var errNotBuilt = errors.New("this part is not built into the program yet")

// newCar builds the configured body, engine and brain on the given clock.
//
// STAND-IN: a body without a world and a brain without a mind, so that the
// daemon around them can be used and tested.
func newCar(_ daemon.Config, _ robot.Clock) (*car, error) {
	var armed, latched atomic.Bool
	var n uint64
	return &car{
		engine: "stand-in",
		body:   inert{},
		tick: func(now time.Duration) brain.Trace {
			n++
			return brain.Trace{Tick: n, Now: now}
		},
		arm: func() error {
			if latched.Load() {
				return errors.New("the emergency stop is latched; reset it first")
			}
			armed.Store(true)
			return nil
		},
		disarm:    func() { armed.Store(false) },
		estop:     func() { armed.Store(false); latched.Store(true) },
		reset:     func() error { latched.Store(false); return nil },
		publish:   func() {},
		responses: func([]time.Duration) int { return 0 },
		describe: func(s *daemon.Status) {
			s.Armed, s.Failsafe, s.Link, s.Rung = armed.Load(), "STOPPED", "up", "full"
			if armed.Load() {
				s.Failsafe = "NORMAL"
			}
			if latched.Load() {
				s.Failsafe = "LATCHED"
			}
		},
		picture: func() []string { return nil },
		work:    func(ctx context.Context) error { <-ctx.Done(); return nil },
		close:   func() error { return nil },
	}, nil
}

// inert is the stand-in's body.
type inert struct{}

func (inert) Sense(*robot.State)      {}
func (inert) Act(robot.Command) error { return nil }
func (inert) Halt() error             { return nil }

// engines names the engines this program can use on this machine.
func engines() []string { return []string{"stand-in"} }

// chosenEngine names the engine that a configuration leads to.
func chosenEngine(daemon.Config) (string, error) { return "stand-in", nil }

// scenarios names the worlds of the test bench.
func scenarios() []string { return nil }

// simulate runs a scenario in virtual time and judges it.
func simulate(*env, simCmd, daemon.Config) error { return errNotBuilt }

// importCalibration converts the vendor's file and returns remarks on it.
func importCalibration(_, _ string) ([]string, error) { return nil, errNotBuilt }

type benchFieldCmd struct{}

// Run times the engines.
func (benchFieldCmd) Run() error { return errNotBuilt }
