package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot/picarx"
)

// A Session is how a service shall run.
type Session struct {
	Arm    bool          // arm as soon as the car is ready
	Length time.Duration // end this long after the first tick, 0 runs until a signal
	// Show shows the car until its context ends; quit ends the session. Without
	// it the log gets lines on the state.
	Show func(ctx context.Context, quit func()) error
	// Beside runs until its context ends; note keeps visible what it lacks. May be nil.
	Beside func(ctx context.Context, note func(c loop.Condition, holds bool)) error
}

// Serve runs the loop and everything around it until a signal, the end of the
// session or a fault, then stops the motors before anything else stops. It gives
// up the car, the control socket and the folder of saved brains. Call it once.
func (s *Service) Serve(session Session) error {
	loop.MakeRoom()
	s.limitBursts()
	s.raiseRest()
	if s.has(Collector) {
		s.collector.start(s.level)
	}
	defer s.signals.restore()
	ctx, fault := context.WithCancelCause(s.signals.ctx)
	defer fault(nil)
	around, endAround := context.WithCancel(context.Background())
	defer endAround()
	beside := &tasks{fault: fault}
	var halted atomic.Bool // or the driver would say once more why not
	s.noteStill(s.newStills())
	s.startTasks(ctx, around, beside, session, &halted)
	s.log.Info().Str("body", s.settings.Body.Kind).Str("engine", s.car.Engine.Name()).
		Str("socket", s.control.Path()).Stringer("period", time.Duration(s.settings.Loop.Period)).Msg("started, disarmed")
	s.tellManager(daemon.Ready)
	ended := s.loop.Run(ctx)
	err := s.halt() // the bus owner still runs: it carries the stop
	beside.add(errors.Join(ended, err))
	halted.Store(err == nil)
	s.signals.restore() // from here on a second interrupt ends the process the hard way
	s.tellManager(daemon.Stopping)
	last := s.lastBrain(ended) // while a graphics card can still be asked
	endAround()
	beside.group.Wait()
	s.noteCard() // what changed since the watch looked last
	beside.add(s.endMemory(last))
	beside.add(s.Close())
	beside.add(s.control.Close())
	s.recorder.Finish()
	if err == nil {
		s.log.Info().Msg("stopped, motors inert")
	}
	return beside.join()
}

// startTasks starts everything beside the loop. Tasks that need the bus at
// the end run within around, which ends after the motors have stopped.
func (s *Service) startTasks(ctx, around context.Context, beside *tasks, session Session, halted *atomic.Bool) {
	if session.Arm { // before anybody can say disarm or stop
		s.arming.begin(s.settings.Body.Kind == "sim")
	}
	beside.start(around, "driver", func(ctx context.Context) error { return notAgain(ctx, halted, s.car.Work(ctx)) })
	for _, c := range s.loopTasks(beside.failed) {
		beside.start(around, c.what, c.run)
	}
	if r := s.recording.Load(); r != nil { // until the motors have stopped
		beside.start(around, "recording", r.Run)
	}
	if s.stills != nil {
		beside.start(around, "stills", s.keepStills)
	}
	if session.Length > 0 {
		beside.start(ctx, "end", func(ctx context.Context) error { return s.endAfter(ctx, session.Length, beside.fault) })
	}
	if session.Arm {
		beside.start(ctx, "arming", s.armWhenReady) // over as soon as the loop ends
	}
	if session.Beside != nil {
		beside.start(around, "page", func(ctx context.Context) error { return session.Beside(ctx, s.conditions.Put) })
	}
	if session.Show != nil {
		beside.start(around, "view", func(ctx context.Context) error {
			return leave(ctx, func() error { return session.Show(ctx, func() { beside.fault(nil) }) })
		})
	} else {
		beside.start(around, "report", s.report)
	}
}

// endAfter ends the session when it has driven for length. A busy machine that takes
// seconds to start drives as long as another.
func (s *Service) endAfter(ctx context.Context, length time.Duration, end context.CancelCauseFunc) error {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for s.loop.Counts().Ticks == 0 {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
	}
	over := time.NewTimer(length)
	defer over.Stop()
	select {
	case <-ctx.Done():
	case <-over.C:
		end(nil)
	}
	return nil
}

// leave runs show and, when ctx has ended, leaves it to itself after a while: a
// terminal that takes nothing must not keep the process from ending.
func leave(ctx context.Context, show func() error) error {
	shown := make(chan error, 1)
	go func() { shown <- shielded("view", show) }()
	select {
	case err := <-shown:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(daemon.LastWords)
	defer timer.Stop()
	select {
	case err := <-shown:
		return err
	case <-timer.C:
		return nil
	}
}

// halt leaves the motors inert at the end.
func (s *Service) halt() error {
	err := s.car.Body.Halt()
	switch {
	case picarx.LateStop(err):
		s.log.Warn().Err(err).Msg("stopped through the reset line")
	case err != nil:
		return fmt.Errorf("the motors may still turn, switch the HAT off: %w", err)
	}
	return nil
}

// notAgain drops the driver's error at the orderly end when the halt just before
// has failed already: both are the same refusal.
func notAgain(ctx context.Context, halted *atomic.Bool, err error) error {
	if ctx.Err() != nil && !halted.Load() {
		return nil
	}
	return err
}
