package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot/safety"
)

// haltAfter is how long an emergency stop waits for a tick before it halts the
// body without one: some periods, even of a loop that stumbles.
const haltAfter = 200 * time.Millisecond

// stopping is the emergency stop that is under way. Who asks for another one
// meanwhile waits for its outcome.
type stopping struct {
	mu    sync.Mutex
	round *stopRound // nil when none is under way

	told atomic.Bool // the log has this stop, which no reset has ended
}

// news returns whether the log has to be told of a stop that ended with err.
func (s *stopping) news(err error) bool { return !s.told.Swap(true) || err != nil }

// A stopRound is one emergency stop and all who wait for it.
type stopRound struct {
	done chan struct{}
	err  error // valid then
}

// join returns the round under way, or begins one that runs stop.
func (s *stopping) join(stop func() error) *stopRound {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.round != nil {
		return s.round
	}
	round := &stopRound{done: make(chan struct{})}
	s.round = round
	go func() {
		round.err = shielded("emergency stop", stop)
		s.mu.Lock()
		s.round = nil
		s.mu.Unlock()
		close(round.done)
	}()
	return round
}

// estop stops the car and says whether it stands, within ctx. The next tick stops
// it whatever becomes of the answer.
func (s *Service) estop(ctx context.Context) error {
	s.stopNow()
	round := s.stop.join(s.confirmStop)
	select {
	case <-round.done:
		return round.err
	case <-ctx.Done():
		return fmt.Errorf("the stop waits for its tick: %w", ctx.Err())
	}
}

// stopNow makes the next tick an emergency stop, and waits for nothing.
func (s *Service) stopNow() {
	s.arming.over()
	s.car.Brain.Remote().Stop()
}

// confirmStop waits until a tick has stopped the car. When none does so soon, the
// loop stands still, and confirmStop halts the body without it; the order stays, so
// that a loop that wakes up later does not drive off. It gives no second order: that
// one could come after a reset and stop the car again.
func (s *Service) confirmStop() error {
	for deadline := time.Now().Add(haltAfter); time.Now().Before(deadline); {
		if s.car.Brain.Remote().Status().Safety.Causes.Has(safety.EStop) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	err := fmt.Errorf("no tick took the order within %v", haltAfter)
	if halted := s.car.Body.Halt(); halted != nil {
		return fmt.Errorf("%w, and the body did not halt: %w; switch the HAT off", err, halted)
	}
	return fmt.Errorf("%w; the motors were halted without it: end the daemon", err)
}

// serveStops stops the car for whoever connects to the stop socket.
func (s *Service) serveStops(ctx context.Context) error {
	return s.control.ServeStops(ctx, daemon.Stopper{
		Raise: s.raiseStops, Now: s.stopNow,
		Stop: func(ctx context.Context) daemon.Answer {
			if err := s.stopFor(ctx, "the stop socket"); err != nil {
				return daemon.Answer{Error: err.Error()}
			}
			return daemon.Answer{OK: true}
		},
	})
}

// raiseStops puts the thread that waits for stops below the loop's and the
// driver's, and above everything ordinary: no load keeps a stop waiting. What the
// kernel refuses is among the loop's own conditions already.
func (s *Service) raiseStops() {
	if p := s.ranks().Stop; p > 0 {
		_ = loop.Raise(p)
	}
}

// answerStopSignal stops the car at every SIGUSR1, until ctx is done.
func (s *Service) answerStopSignal(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.signals.usr1:
			if err := s.stopFor(ctx, "SIGUSR1"); err != nil && !errors.Is(err, context.Canceled) {
				s.log.Error().Err(err).Msg("an emergency stop by SIGUSR1")
			}
		}
	}
}

// stopFor stops the car and logs the order unless the log has one already. What the
// status says would not do: the tick may have obeyed stopNow before. A stop that the
// daemon's end cuts short is not refused: the end stops the motors, too.
func (s *Service) stopFor(ctx context.Context, by string) error {
	err := s.estop(ctx)
	refused := err
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		refused = nil
	}
	if s.stop.news(refused) {
		s.log.Info().Str("command", "estop").Str("by", by).AnErr("refused", refused).Msg("order")
	}
	return err
}
