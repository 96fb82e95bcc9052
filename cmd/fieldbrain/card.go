package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
)

// A card is the graphics card's part in a mind. In a daemon the processor steps
// from the start, and a card joins whenever one is proven.
type card struct {
	supervisor *gpu.Supervisor
	failover   *brain.Failover
	wanted     bool                // by name: it is a degraded state that it does not step
	next       *gpu.Engine         // proven, and waiting for the present one to fail
	told       brain.FailoverState // whose changes are in the log

	profile bool                       // the kernels are timed
	newest  atomic.Pointer[gpu.Engine] // given to the fail-over last
}

// cardOptions returns the supervisor's settings for a configuration.
func cardOptions(c daemon.EngineConfig, p field.Params) gpu.Options {
	setup := gpu.Setup{Params: p, Step: stepKind(c), Half: c.GPUStorage == "fp16", Wait: gpu.Wait(c.GPUWait), Profile: c.GPUProfile}
	o := gpu.DefaultOptions(setup, func() (field.Engine, error) { return cpu.New(p, cpu.DefaultOptions()) })
	o.Path, o.Deadline = c.GPUPath, time.Duration(c.GPUDeadline)
	if o.Deadline == 0 {
		o.Deadline = p.Period / 2
	}
	o.Patience = o.Deadline
	return o
}

// newCard returns the card of a daemon beside an engine of the processor, or
// nil where none is configured or its program is not installed. Asked for by
// name, the program must be there; whether it finds a card shows later.
func newCard(c daemon.EngineConfig, p field.Params, standby field.Engine, tune func(*gpu.Options)) (*card, error) {
	if !c.GPU() {
		return nil, nil
	}
	if _, err := gpu.Find(c.GPUPath); err != nil {
		if c.Kind == "cuda" || c.GPUPath != "" {
			return nil, err
		}
		return nil, nil // a machine without: nothing is missing
	}
	o := cardOptions(c, p)
	tune(&o)
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return nil, err
	}
	return &card{supervisor: s, failover: brain.NewFailover(nil, standby, p.Period), wanted: c.Kind == "cuda", profile: c.GPUProfile}, nil
}

// between runs on the loop's thread between two ticks, when the command is out:
// the engine that stands by gets its share of the field, and a newly proven card
// is handed to the fail-over. It allocates only when it does that.
func (k *card) between() error {
	k.failover.Mirror()
	if k.next == nil {
		k.next = k.supervisor.Ready()
	}
	if k.next == nil {
		return nil
	}
	err := k.failover.Return(k.next)
	if errors.Is(err, brain.ErrPrimaryWorks) { // its child is dead: its next step will say so
		return nil
	}
	k.newest.Store(k.next)
	k.next = nil
	return err
}

// close gives up a card that nobody took any more. The supervisor has ended.
func (k *card) close() error {
	if k.next == nil {
		return nil
	}
	return k.next.Close()
}

// status returns the card's part of the daemon's status.
func (k *card) status() *daemon.GPUStatus {
	s, f := k.supervisor.State(), k.failover.State()
	g := &daemon.GPUStatus{
		Phase: string(s.Phase), Since: s.Since, Device: s.Device, PID: s.PID,
		Starts: s.Starts, Proofs: s.Proofs, Ends: s.Ends, Failovers: f.Failovers, Returns: f.Returns,
	}
	if s.Err != nil {
		g.Error = s.Err.Error()
	}
	if e := k.newest.Load(); e != nil && k.profile {
		n := e.Nanos()
		g.Kernels = &daemon.KernelTimes{Prep: n.Prep, Evolve: n.Evolve, Motor: n.Motor, Total: n.Total}
	}
	return g
}

// raiseCard lets the child's thread stand below the driver's, which stands below
// the loop's that waits for it: what is ordinary on a busy machine is late. A
// thread that spins for orders all the time must not be raised.
func raiseCard(c daemon.Config, o *gpu.Options) {
	if c.Loop.Priority > 2 && o.Setup.Wait != gpu.WaitSpin {
		o.Setup.Priority = c.Loop.Priority - 2
	}
}

// logCard returns the supervisor's hook: one line per change.
func logCard(log *daemon.Log) func(gpu.State) {
	return func(s gpu.State) {
		line := log.Info()
		switch s.Phase {
		case gpu.Waiting:
			line = log.Warn().AnErr("because", s.Err).Dur("retry_ms", s.Retry)
		case gpu.GivenUp:
			line = log.Warn().AnErr("because", s.Err)
		case gpu.Proven, gpu.Serving:
			line = line.Str("device", s.Device).Int("pid", s.PID)
		}
		line.Uint64("starts", s.Starts).Msgf("graphics card's program: %s", s.Phase)
	}
}

// noteCard turns the card's state into conditions and logs every change between
// card and processor.
func (s *service) noteCard() {
	k := s.car.card
	if k == nil {
		return
	}
	state, f := k.supervisor.State(), k.failover.State()
	s.logTurns(&k.told, f)
	c := daemon.Condition{
		Name: "gpu", Value: "the processor steps the field, the graphics card does not",
		Cause:  fmt.Sprintf("its program is %s", state.Phase),
		Remedy: "none yet: it is started again by itself; if it stays so, see fieldbrain doctor",
	}
	if state.Phase == gpu.Serving {
		c.Cause, c.Remedy = "it gets the field first", "none: it takes over within a second"
	} else if state.Err != nil {
		c.Cause = fmt.Sprintf("its program is %s; the last one: %v", state.Phase, state.Err)
	}
	if state.Phase == gpu.GivenUp {
		c.Remedy = "see fieldbrain doctor, mend the cause, then restart the daemon"
	}
	s.conditions.Put(c, !f.Primary && (k.wanted || f.Returns > 0))
	s.conditions.Put(daemon.Condition{
		Name: "gpu page", Value: "the graphics card cannot see the shared page, its program copies",
		Cause:  "the driver refused to register it (cuMemHostRegister)",
		Remedy: "none needed: a few microseconds a tick; a newer driver or RLIMIT_MEMLOCK may help",
	}, f.Primary && state.Copies)
}

// logTurns logs what changed between card and processor since told.
func (s *service) logTurns(told *brain.FailoverState, f brain.FailoverState) {
	taken := f.Returns != told.Returns
	if taken && !f.Primary { // and lost again since
		s.log.Info().Uint64("took_over", f.Returns).Msg("the graphics card steps the field")
	}
	if f.Failovers != told.Failovers {
		s.log.Warn().AnErr("because", f.Err).Uint64("step", f.At).Uint64("failed_over", f.Failovers).
			Msg("the processor took over within the tick")
	}
	if taken && f.Primary {
		s.log.Info().Str("engine", f.Engine).Uint64("took_over", f.Returns).Msg("the graphics card steps the field")
	}
	*told = f
}

// A soloCard is a card that drives alone, in virtual time or against it: the run
// waits for it, and its failure is the run's.
type soloCard struct {
	engine *gpu.Engine
	end    context.CancelFunc
	ended  chan error
}

// soloLimit is what a card on the bench may take for anything: a software
// device is slow, and nothing waits.
const soloLimit = time.Minute

// newSoloCard starts a card and waits until it is proven.
func newSoloCard(c daemon.EngineConfig, p field.Params) (*soloCard, error) {
	o := cardOptions(c, p)
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit, o.Tries = soloLimit, soloLimit, soloLimit, soloLimit, 1
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &soloCard{end: cancel, ended: make(chan error, 1)}
	go func() { b.ended <- s.Run(ctx) }()
	if b.engine, err = s.Await(ctx); err != nil {
		cancel()
		return nil, errors.Join(err, <-b.ended)
	}
	return b, nil
}

// close ends the child. It fails when a child failed during the run.
func (k *soloCard) close() error {
	err := k.engine.Err()
	if err != nil && !errors.Is(err, gpu.ErrClosed) {
		err = fmt.Errorf("the graphics card failed during the run: %w", err)
	}
	closed := k.engine.Close()
	k.end()
	return errors.Join(err, closed, <-k.ended)
}
