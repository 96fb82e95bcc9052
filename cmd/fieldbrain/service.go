package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// lookEvery is how often slow goroutines look at published copies.
const lookEvery = 100 * time.Millisecond

// A service is the running daemon: the car, the loop, and what is around them.
type service struct {
	config     daemon.Config
	log        *daemon.Log
	control    *daemon.Control
	car        *car
	loop       *daemon.Loop
	recorder   *daemon.Recorder
	conditions *daemon.Conditions
	since      time.Time
	build      build

	// Written by the loop's thread only.
	trace     *brain.Trace
	overload  *daemon.Overload
	responses [64]time.Duration

	// Handed from the loop's thread to the slow goroutines.
	wanted   atomic.Bool // --arm holds until a person disarms or stops
	strain   atomic.Uint32
	tickErrs atomic.Uint64
	lastErr  daemon.Latch[error]
}

// newService puts the car and the loop together; nothing runs yet.
func newService(config daemon.Config, log *daemon.Log, control *daemon.Control) (*service, error) {
	clock := robot.NewMonotonic()
	built, err := newCar(config, clock)
	if err != nil {
		return nil, err
	}
	s := &service{
		config: config, log: log, control: control, car: built,
		recorder:   daemon.NewRecorder(),
		conditions: daemon.NewConditions(time.Now, log.Change),
		since:      time.Now(), build: thisBuild(),
		overload: daemon.NewOverload(daemon.DefaultOverload(), time.Duration(config.Loop.Period)),
	}
	built.driver.OnThread(s.raiseDriver)
	hooks := daemon.Hooks{Tick: s.tick, After: s.after, Refused: s.conditions.Set}
	if s.loop, err = daemon.NewLoop(clock, config.Loop.Params(), hooks); err != nil {
		return nil, err
	}
	return s, nil
}

// tick is the loop's: one tick of the brain.
func (s *service) tick(now time.Duration) { s.trace = s.car.brain.Tick(now) }

// after is what the loop's thread does between two ticks: it records, and stops
// a car whose brain cannot keep up.
func (s *service) after(sample daemon.Sample) {
	s.recorder.Record(s.trace, sample)
	for _, d := range s.responses[:s.car.driver.Responses(s.responses[:])] {
		s.recorder.Respond(d)
	}
	if sample.Warm {
		strain := s.overload.Observe(sample.Skipped)
		s.car.brain.Strained(strain == daemon.Overloaded) // slower; the real car stops
		if strain == daemon.Overloaded && s.config.Body.Kind == "picarx" {
			s.car.brain.Disarm()
		}
		s.strain.Store(uint32(strain))
	}
	if s.trace.Err != nil {
		s.tickErrs.Add(1)
		s.lastErr.TryPut(&s.trace.Err)
	}
}

// raiseDriver puts the driver's threads just below the loop's: the bus must be
// served before anything ordinary, but never instead of the tick.
func (s *service) raiseDriver(string) {
	if s.config.Loop.Priority <= 1 {
		return
	}
	if c := daemon.Raise(s.config.Loop.Priority - 1); c != nil {
		s.conditions.Set(*c)
	}
}

// handle answers the control socket.
func (s *service) handle(_ context.Context, r daemon.Request) daemon.Answer {
	var err error
	remote := s.car.brain.Remote() // a tick carries the order out, within a period
	switch r.Command {
	case "status":
		status := s.status()
		return daemon.Answer{OK: true, Status: &status}
	case "arm":
		err = remote.Arm()
	case "disarm":
		s.wanted.Store(false)
		err = remote.Disarm()
	case "estop":
		s.wanted.Store(false)
		err = s.estop()
	case "reset":
		err = remote.Reset()
	default:
		return daemon.Answer{Error: fmt.Sprintf("command %q is not known: send arm, disarm, estop, reset or status", r.Command)}
	}
	s.log.Info().Str("command", r.Command).AnErr("refused", err).Msg("order")
	if err != nil {
		return daemon.Answer{Error: err.Error()}
	}
	return daemon.Answer{OK: true}
}

// estop stops the car. When no tick takes the order the loop stands still, and
// the body is halted without it.
func (s *service) estop() error {
	err := s.car.brain.Remote().EStop()
	if err == nil {
		return nil
	}
	if halted := s.car.body.Halt(); halted != nil {
		return fmt.Errorf("%w, and the body did not halt: %w; switch the HAT off", err, halted)
	}
	return fmt.Errorf("%w; the motors were halted without it: end the daemon", err)
}

// status gathers what the daemon says about itself from published copies.
func (s *service) status() daemon.Status {
	status := daemon.Status{
		Version: s.build.Version, PID: os.Getpid(), Since: s.since,
		Body:       s.config.Body.Kind,
		Conditions: s.conditions.List(), Table: s.recorder.Table(s.loop.Counts()),
		LogDropped: s.log.Dropped(), Refused: s.control.Refused(),
	}
	s.car.describe(&status)
	return status
}

// armWhenReady arms once the car is ready: the body's bus has to come up and
// the first readings have to arrive. It gives up when that takes too long.
//
// The simulated car is armed again when a pause of the whole machine has
// disarmed it (a laptop that is busy otherwise), until a person says disarm or
// stop. The real car is not: there a person has to look first.
func (s *service) armWhenReady(ctx context.Context) error {
	const patience = 15 * time.Second
	began, armed := time.Now(), false
	s.wanted.Store(true)
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if !s.wanted.Load() || armed && s.config.Body.Kind != "sim" {
			return nil
		}
		status := s.car.brain.Remote().Status().Safety
		if status.Armed {
			continue
		}
		err := s.car.brain.Remote().Arm()
		switch {
		case err == nil && armed:
			s.log.Warn().Stringer("because", status.Tripped).Msg("the simulated car was disarmed by itself and is armed again")
		case err == nil:
			s.log.Info().Msg("armed, as asked for by --arm")
		case time.Since(began) > patience && !armed:
			return fmt.Errorf("--arm: not ready within %v: %w", patience, err)
		}
		armed = armed || err == nil
	}
}

// halt leaves the motors inert at the end.
func (s *service) halt() error {
	if err := s.car.body.Halt(); err != nil {
		return fmt.Errorf("the motors may still turn, switch the HAT off: %w", err)
	}
	return nil
}
