package fieldbrain

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// What a Brain reports, and the part of it that other goroutines use.
type (
	Trace  = brain.Trace  // what one tick did, and how long each stage took
	Remote = brain.Remote // arm, disarm, stop, reset and status from anywhere
)

// A Brain drives a body.
type Brain struct {
	core    *brain.Brain
	body    Body
	engine  field.Engine
	own     bool // the engine is ours to close
	options Options
	clock   Clock
	arms    bool // Options.Arm is still to be obeyed
	ticked  bool
	ran     atomic.Bool
	closed  atomic.Bool
}

// New puts a brain into a body, without which it panics. The brain is disarmed and at rest.
func New(body Body, o Options) (*Brain, error) {
	if body == nil {
		panic("fieldbrain: a brain needs a body")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	b := &Brain{body: body, engine: o.Engine, options: o, clock: o.Clock, arms: o.Arm}
	if b.clock == nil {
		b.clock = robot.NewMonotonic()
	}
	if b.engine == nil {
		e, err := o.Processor()
		if err != nil {
			return nil, fmt.Errorf("fieldbrain: %w", err)
		}
		b.engine, b.own = e, true
	}
	var err error
	if b.core, err = brain.New(&linked{Body: body}, b.engine, b.clock, o.params()); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Tick senses, steps the field, decides and acts once. now is the body's clock;
// ticks follow each other by the period. The Trace belongs to the brain and is
// valid until the next tick. Tick does not allocate.
func (b *Brain) Tick(now time.Duration) *Trace {
	t := b.core.Tick(now)
	b.ticked = true
	if b.arms {
		b.arm()
	}
	return t
}

// arm obeys Options.Arm: it arms once, as soon as the reflexes allow it. Whoever armed, disarmed
// or stopped the body before has the last word, and so has a fault that latches.
func (b *Brain) arm() {
	s := b.core.Safety()
	switch {
	case s.Armed, s.Tripped != 0, s.Level == safety.Latched, b.core.TickInput().Disarms():
		b.arms = false
	case s.Causes.Blocking() == 0:
		b.arms = b.core.Arm() != nil
	}
}

// Advance ticks for a length of time on the body's clock, without a thread or a
// deadline of its own. With a clock that moves when somebody sleeps, such as
// testbench.Virtual, that is virtual time: as fast as the processor goes, and the
// same every time. It ends at the first tick with an error, and returns that.
func (b *Brain) Advance(length time.Duration) error {
	release := b.clock.Now()
	end := release + length
	for release += b.options.Period; release <= end; release += b.options.Period {
		b.clock.SleepUntil(release)
		if err := b.Tick(b.clock.Now()).Err; err != nil {
			return err
		}
	}
	return nil
}

// Run ticks in real time, on a thread of its own, until ctx is done; then it
// halts the body. A period that is missed is left out, never made up. Run is
// called once, and not after Close: it says so, and ticks no more.
func (b *Brain) Run(ctx context.Context) error {
	switch {
	case b.closed.Load():
		return errors.Join(errors.New("fieldbrain: Run after Close: make another brain (New)"), b.body.Halt())
	case !b.ran.CompareAndSwap(false, true):
		return errors.New("fieldbrain: a second Run: make another brain (New)")
	}
	p := loop.Default()
	p.Period, p.Priority, p.LockMemory = b.options.Period, b.options.Priority, b.options.Priority > 0
	hooks := loop.Hooks{Tick: func(now time.Duration) { b.Tick(now) }}
	if b.options.Refused != nil {
		hooks.Refused = func(c loop.Condition) {
			b.options.Refused(fmt.Sprintf("%s: %s; %s", c.Name, c.Cause, c.Remedy))
		}
	}
	l, err := loop.New(b.clock, p, hooks)
	if err != nil {
		return errors.Join(err, b.body.Halt())
	}
	return errors.Join(l.Run(ctx), b.body.Halt())
}

// Arm lets commands reach the motors, or says what stands against it: before the first tick,
// that nothing is known of the body. Only the owner calls it, between two ticks; while Run runs,
// Remote has an Arm.
func (b *Brain) Arm() error {
	err := b.core.Arm()
	if err != nil && !b.ticked {
		err = fmt.Errorf("fieldbrain: no tick has asked the sensors yet: Tick or Advance first, or set Options.Arm: %w", err)
	}
	return err
}

// Disarm makes the motors inert from the next tick on. Only the owner calls it.
func (b *Brain) Disarm() { b.core.Disarm() }

// Remote returns the handle that other goroutines use while the brain ticks: it
// arms, disarms, stops and tells the status.
func (b *Brain) Remote() *Remote { return b.core.Remote() }

// Heading returns where the field has decided to go: the bearing of the peak of
// the heading channel in rad, positive left, and its mass, the output in cells
// of full output. A mass of 0 is no decision. Only the owner calls it.
func (b *Brain) Heading() (bearing, mass float64) { return b.core.Heading() }

// Core returns the brain itself, for whoever needs more than this page: its
// state to save and restore, its ladder of quality, its failsafe causes.
func (b *Brain) Core() *brain.Brain { return b.core }

// Close ends the engine that New made, once Run has returned. It does not touch the body, and a tick
// after it is one that the engine refuses: the body is told to brake. It is safe to repeat.
func (b *Brain) Close() error {
	b.closed.Store(true)
	if !b.own {
		return nil
	}
	return b.engine.Close()
}
