package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/robot/safety"
)

// answers returns the control socket's handler. A defect in it stops the car and
// the program, as one in any other part does.
func (s *Service) answers(fault func(error)) daemon.Handler {
	return func(ctx context.Context, r daemon.Request) (a daemon.Answer) {
		err := shielded("answer", func() error { a = s.handle(ctx, r); return nil })
		if err != nil {
			fault(err)
			a = daemon.Answer{Error: lastAnswer}
		}
		return a
	}
}

// lastAnswer is that to a request that the daemon failed at.
const lastAnswer = "the daemon failed at this request and ends, motors inert; its log says why"

// handle answers the control socket, within ctx.
func (s *Service) handle(ctx context.Context, r daemon.Request) daemon.Answer {
	if r.Command == "status" {
		status := s.Status()
		return daemon.Answer{OK: true, Status: &status}
	}
	note, changed, err := s.obey(ctx, r)
	if changed {
		s.logOrder(r, err)
	}
	if err != nil {
		return daemon.Answer{Error: err.Error()}
	}
	return daemon.Answer{OK: true, Note: note}
}

// reset ends an emergency stop. The log is told of the next one, which may come before
// this answer.
func (s *Service) reset(ctx context.Context) error {
	told := s.stop.told.Swap(false)
	err := s.order(ctx, s.car.Brain.Remote().Reset)
	if err != nil && told {
		s.stop.told.Store(true)
	}
	return err
}

// obey carries an order out. Refused orders and repeated ones change nothing and are
// not logged.
func (s *Service) obey(ctx context.Context, r daemon.Request) (note string, changed bool, err error) {
	remote := s.car.Brain.Remote()
	before := remote.Status().Safety
	switch r.Command {
	case "arm":
		err = s.order(ctx, s.arm)
		changed = err == nil && !before.Armed
	case "disarm":
		s.wanted.Store(false)
		err = s.order(ctx, remote.Disarm)
		changed = err != nil || before.Armed
	case "estop":
		err = s.estop(ctx)
		changed = s.stop.news(err)
	case "reset":
		err = s.reset(ctx)
		changed = err == nil && before.Level == safety.Latched
	case "go":
		note, err = s.send(ctx, r.Order)
		changed = err == nil
	case "set":
		note, err = s.set(ctx, r.Order)
		changed = err == nil
	case "outcome":
		err = s.outcome(r.Value)
		changed = err == nil
	case "record-start", "record-stop":
		note, err = s.obeyTape(ctx, r.Command)
		changed = err == nil
	case "take", "drive", "release":
		note, changed, err = s.byHand(r)
	default:
		err = fmt.Errorf("command %q is not known: send arm, disarm, estop, reset, go, set, take, drive, release, outcome, record-start, record-stop or status", r.Command)
	}
	return note, changed, err
}

// logOrder writes a line for an order that changed something.
func (s *Service) logOrder(r daemon.Request, err error) {
	line := s.log.Info().Str("command", r.Command).AnErr("refused", err)
	if r.Value != 0 {
		line = line.Float64("value", r.Value)
	}
	if r.Order != "" {
		line = line.Str("order", r.Order)
	}
	if r.Source != "" {
		line = line.Str("source", r.Source)
	}
	line.Msg("order")
}

// outcome judges for the brain its conduct of the last seconds.
func (s *Service) outcome(v float64) error {
	if err := daemon.CheckOutcome(v); err != nil {
		return err
	}
	if !s.settings.Brain.Recall {
		return errors.New("nothing would remember it: set brain.recall = true in the configuration and start the daemon again")
	}
	s.car.Brain.Remote().Outcome(float32(v))
	return nil
}

// order gives the loop an order: a tick carries it out, within a period. It
// returns when the tick has done so or ctx ends. Orders come one after the other.
// An order whose turn does not come in time never reaches the loop: the person
// who gave it no longer watches the car.
func (s *Service) order(ctx context.Context, give func() error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("another order waits for its tick: %w", ctx.Err())
	}
	if ctx.Err() != nil { // both were so, and chance took the turn
		<-s.turn
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		done <- shielded("order", give)
		<-s.turn
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no tick took the order: %w", ctx.Err())
	}
}

// armWhenReady arms once the car is ready: the body's bus has to come up and
// the first readings have to arrive. It gives up when that takes too long, and
// at once when ctx ends.
//
// It arms the simulated car again when a pause of the machine has disarmed it (a
// computer that is busy otherwise), until a person says disarm or stop. After any
// other cause, and on the real car, a person has to look first.
func (s *Service) armWhenReady(ctx context.Context) error {
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
		if !s.wanted.Load() || armed && s.settings.Body.Kind != "sim" {
			return nil
		}
		if armed {
			if over := s.armAgain(ctx); over {
				return nil
			}
			continue
		}
		if s.car.Brain.Remote().Status().Safety.Armed { // by an order that came first
			continue
		}
		err := s.order(ctx, s.arm)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			armed = true
			s.log.Info().Msg("armed, as asked for by --arm")
		case time.Since(began) > armPatience:
			return fmt.Errorf("--arm: not ready within %v: %w", armPatience, err)
		}
	}
}

// armPatience is how long a car may take to become ready.
const armPatience = 15 * time.Second

// armAgain looks at a simulated car that was armed and arms it again after a
// pause of the machine. It reports whether something else disarmed it.
func (s *Service) armAgain(ctx context.Context) (over bool) {
	status := s.car.Brain.Remote().Status().Safety
	if status.Armed || status.Tripped == 0 { // the copy may be older than the arming
		return false
	}
	if !resumes(status.Tripped) {
		s.log.Warn().Str("because", status.Tripped.Words()).Msg("the simulated car was disarmed by itself and stays so")
		return true
	}
	if err := s.order(ctx, s.arm); err == nil && ctx.Err() == nil {
		s.log.Warn().Str("because", status.Tripped.Words()).Msg("the simulated car was disarmed by itself and is armed again")
	}
	return false
}

// resumes reports whether --arm may arm the simulated car again after what
// disarmed it: only after a pause of the machine. A pause stops the simulated
// HAT's driver too: then the link is late, or goes down together with the loop, whose
// commands have become old meanwhile. A link that goes down alone is the scenario's doing,
// and a person has to look as on a car. Arming is refused for as long as the link stays down.
func resumes(tripped safety.Causes) bool {
	const withPause = safety.Paused | safety.LinkDown | safety.LinkLate | safety.CommandLost
	return tripped == safety.LinkLate || tripped.Has(safety.Paused) && tripped&^withPause == 0
}
