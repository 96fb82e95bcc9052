package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fieldbrain/field/exercise"
)

// attend runs one child from its start to its end. It returns why the child
// ended, and what could not be given back.
func (s *Supervisor) attend(ctx context.Context) (why, left error) {
	left = s.sweep()
	s.started = append(s.started, time.Now())
	s.started = s.started[max(0, len(s.started)-s.options.Starts):]
	s.enter(Starting, func(st *State) { st.Starts++; st.PID = 0 })
	c, err := launch(&s.options)
	if err != nil {
		return s.ended(ctx, err), left
	}
	// A child that hangs while it is proven must not delay the end.
	stop := context.AfterFunc(ctx, c.kill)
	why = s.keep(ctx, c)
	s.note(func(st *State) { st.Gauges = Gauges{} })
	stop()
	patience := stuck
	if ctx.Err() != nil {
		patience = Parting
	}
	left = errors.Join(left, s.bury(c, patience))
	if errors.Is(why, ErrDied) && c.how != nil {
		why = fmt.Errorf("%w: %w", why, c.how)
	}
	return s.ended(ctx, why), left
}

// ended notes why a child ended, unless the supervisor ended it itself.
func (s *Supervisor) ended(ctx context.Context, why error) error {
	if ctx.Err() != nil || errors.Is(why, ErrClosed) {
		return why
	}
	s.note(func(st *State) {
		st.Ends[reason(why)]++
		st.Err = why
	})
	return why
}

// keep takes a child through readiness, proof and service until something is
// wrong with it.
func (s *Supervisor) keep(ctx context.Context, c *child) error {
	o := &s.options
	s.note(func(st *State) { st.PID = c.cmd.Process.Pid })
	if err := c.ready(ctx, o.StartLimit); err != nil {
		return err
	}
	e := newEngine(c.mapping, c.caller, &o.Setup)
	c.engine = e
	e.deadline, e.patience = o.ProofLimit, o.ProofLimit
	s.enter(Proving, func(st *State) { st.Device, st.Copies, st.Memory = e.device, e.copies, e.memory })
	if err := s.prove(e); err != nil {
		return err
	}
	e.deadline, e.patience = o.Deadline, o.Patience
	e.tolerate(o.Late)
	s.enter(Proven, func(st *State) { st.Proofs++ })
	c.offered = true
	s.offer.Store(e)
	gauges, watch := time.NewTicker(gaugesPeriod), new(gaugesWatch)
	defer gauges.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-e.taken:
			s.enter(Serving, nil)
		case now := <-gauges.C:
			g := watch.look(&c.mapping.Page.Head.Gauges, now)
			s.note(func(st *State) { st.Gauges = g })
		case f := <-e.broken:
			return f
		case <-c.exited:
			return ErrDied
		}
	}
}

// prove lets a judge decide whether the engine computes the field, and the clock
// whether it does so in time. Afterwards the engine is at rest again.
func (s *Supervisor) prove(e *Engine) (err error) {
	judge, err := s.options.Judge()
	if err != nil {
		return fmt.Errorf("gpu: build the judge: %w", err)
	}
	defer func() { err = errors.Join(err, judge.Close()) }()
	seed := uint32(s.State().Starts) * 1000
	if err = prove(e, judge, seed, s.options.Probes, s.options.Setup.Half); e.err != nil { // a read failed
		return e.err
	}
	if err == nil {
		err = pace(e, &s.options, seed)
	}
	if err != nil {
		return err
	}
	e.Rest()
	if e.err != nil {
		return e.err
	}
	return nil
}

// pace steps the engine at the deadline that it will be driven with. One that is
// late now would be late again and again: taken over, killed, started anew.
// Where the deadline is no shorter than the proof's, the probes have shown it.
func pace(e *Engine, o *Options, seed uint32) error {
	if o.Deadline >= o.ProofLimit {
		return nil
	}
	e.deadline = o.Deadline
	defer func() { e.deadline = o.ProofLimit }()
	d := exercise.New(seed)
	for n := range o.Pace {
		_, err := e.Step(d.Next())
		if errors.Is(err, ErrLate) {
			return fmt.Errorf("gpu: step %d of %d at the deadline: the card is too slow or too busy for it: end what else uses it, "+
				"on a Jetson pin its clocks (jetson_clocks), or set engine.gpu_deadline above %v: %w", n+1, o.Pace, o.Deadline, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bury ends the process and gives its page back, at the latest when the owner of its
// engine has closed that.
func (s *Supervisor) bury(c *child, patience time.Duration) error {
	if err := c.bury(patience); err != nil {
		return err // the process lives on and keeps its page
	}
	e := c.engine
	if e == nil {
		return c.mapping.Close()
	}
	if !c.offered || s.offer.CompareAndSwap(e, nil) { // nobody has taken it, nor will
		_ = e.Close() // only says so
	}
	s.graves = append(s.graves, e)
	return s.sweep()
}

// sweep gives back the pages whose engines their owners have closed.
func (s *Supervisor) sweep() error {
	var left error
	s.graves = slices.DeleteFunc(s.graves, func(e *Engine) bool {
		if e.lease.Load() != returned {
			return false
		}
		left = errors.Join(left, e.abandon())
		return true
	})
	return left
}
