package service

import (
	"context"
	"errors"
	"fmt"

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
// this answer. A latched car waits for a reset and for the arm of a person: --arm has
// nothing left to do.
func (s *Service) reset(ctx context.Context) error {
	if s.car.Brain.Remote().Status().Safety.Level == safety.Latched {
		s.arming.over()
	}
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
		err = s.disarm(ctx)
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

// disarm makes the motors inert. An arming that has its turn before it is undone by it, and
// none follows.
func (s *Service) disarm(ctx context.Context) error {
	s.arming.over()
	return s.order(ctx, func() error {
		s.arming.over()
		return s.car.Brain.Remote().Disarm()
	})
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
