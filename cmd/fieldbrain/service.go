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
	orders     daemon.Mailbox
	stops      daemon.Mailbox // emergency stops queue behind nothing
	since      time.Time
	build      build

	// Written by the loop's thread only.
	trace     brain.Trace
	overload  *daemon.Overload
	responses [64]time.Duration

	// Handed from the loop's thread to the slow goroutines.
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
	hooks := daemon.Hooks{Tick: s.tick, After: s.after, Refused: s.conditions.Set}
	if s.loop, err = daemon.NewLoop(clock, config.Loop.Params(), hooks); err != nil {
		return nil, err
	}
	return s, nil
}

// tick is the loop's: one tick of the brain.
func (s *service) tick(now time.Duration) { s.trace = s.car.tick(now) }

// after is what the loop's thread does between two ticks: it records, carries
// out a person's order and stops a car whose brain cannot keep up.
func (s *service) after(sample daemon.Sample) {
	s.recorder.Record(&s.trace, sample)
	for _, d := range s.responses[:s.car.responses(s.responses[:])] {
		s.recorder.Respond(d)
	}
	s.stops.Serve()
	s.orders.Serve()
	if sample.Warm {
		strain := s.overload.Observe(sample.Skipped)
		if strain == daemon.Overloaded && s.config.Body.Kind == "picarx" {
			s.car.disarm() // the simulated car only reports it
		}
		s.strain.Store(uint32(strain))
	}
	if s.trace.Err != nil {
		s.tickErrs.Add(1)
		s.lastErr.TryPut(&s.trace.Err)
	}
	s.car.publish()
}

// handle answers the control socket.
func (s *service) handle(ctx context.Context, r daemon.Request) daemon.Answer {
	var err error
	switch r.Command {
	case "status":
		status := s.status()
		return daemon.Answer{OK: true, Status: &status}
	case "arm":
		err = s.orders.Do(ctx, s.car.arm)
	case "disarm":
		err = s.orders.Do(ctx, func() error { s.car.disarm(); return nil })
	case "estop":
		err = s.estop(ctx)
	case "reset":
		err = s.orders.Do(ctx, s.car.reset)
	default:
		return daemon.Answer{Error: fmt.Sprintf("command %q is not known: send arm, disarm, estop, reset or status", r.Command)}
	}
	s.log.Info().Str("command", r.Command).AnErr("refused", err).Msg("order")
	if err != nil {
		return daemon.Answer{Error: err.Error()}
	}
	return daemon.Answer{OK: true}
}

// estop stops the car. A loop that does not take the order within some periods
// stands still, and the body is then halted without it; the latch is missing in
// that case, which the error says.
func (s *service) estop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 250*time.Millisecond)
	defer cancel()
	err := s.stops.Do(ctx, func() error { s.car.estop(); return nil })
	if err == nil {
		return nil
	}
	if halted := s.car.body.Halt(); halted != nil {
		return fmt.Errorf("%w, and the body did not halt: %w; switch the HAT off", err, halted)
	}
	return fmt.Errorf("%w; the motors were halted without it, nothing is latched: end the daemon", err)
}

// status gathers what the daemon says about itself from published copies.
func (s *service) status() daemon.Status {
	status := daemon.Status{
		Version: s.build.Version, PID: os.Getpid(), Since: s.since,
		Body: s.config.Body.Kind, Engine: s.car.engine,
		Conditions: s.conditions.List(), Table: s.recorder.Table(s.loop.Counts()),
		LogDropped: s.log.Dropped(), Refused: s.control.Refused(),
	}
	s.car.describe(&status)
	return status
}

// armWhenReady arms once the car is ready: the body's bus has to come up and
// the first readings have to arrive. It gives up when that takes too long.
func (s *service) armWhenReady(ctx context.Context) error {
	const patience = 15 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := s.orders.Do(ctx, s.car.arm)
		if err == nil {
			s.log.Info().Msg("armed, as asked for by --arm")
			return nil
		}
		select {
		case <-ctx.Done():
			if context.Cause(ctx) == context.Canceled {
				return nil // the daemon ends before the car was ready
			}
			return fmt.Errorf("--arm: not ready within %v: %w", patience, err)
		case <-time.After(lookEvery):
		}
	}
}

// halt leaves the motors inert at the end.
func (s *service) halt() error {
	if err := s.car.body.Halt(); err != nil {
		return fmt.Errorf("the motors may still turn, switch the HAT off: %w", err)
	}
	return nil
}
