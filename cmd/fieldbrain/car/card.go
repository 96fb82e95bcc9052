package car

import (
	"errors"
	"sync/atomic"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/failover"
	"fieldbrain/gpu"
)

// A GPU is the graphics card's part in a mind. In a daemon the processor steps
// from the start, and a card joins once its program has proved itself.
type GPU struct {
	Supervisor *gpu.Supervisor  // its Run starts, proves and kills the card's program
	Failover   *failover.Engine // the card's engine, and the processor's that stands by
	Wanted     bool             // by name: it is a degraded state that it does not step
	Profile    bool             // the kernels are timed

	next   *gpu.Engine                // proven, and waiting for the present one to fail
	newest atomic.Pointer[gpu.Engine] // given to the fail-over last
}

// GPUOptions returns the supervisor's settings for a configuration.
func GPUOptions(c config.Engine, p field.Params) gpu.Options {
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
// nil where the configuration wants none or its program is not installed. A
// program that the configuration names must be there; whether it finds a card
// shows later.
func newCard(c config.Engine, p field.Params, standby field.Engine, tune func(*gpu.Options)) (*GPU, error) {
	if !c.GPU() {
		return nil, nil
	}
	if _, err := gpu.Find(c.GPUPath); err != nil {
		if c.Kind == "cuda" || c.GPUPath != "" {
			return nil, err
		}
		return nil, nil // a machine without: nothing is missing
	}
	o := GPUOptions(c, p)
	o.Late = gpu.Tolerant()
	tune(&o)
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return nil, err
	}
	return &GPU{Supervisor: s, Failover: failover.New(nil, standby, p.Period), Wanted: c.Kind == "cuda", Profile: c.GPUProfile}, nil
}

// Between runs on the loop's thread between two ticks, when the command is out:
// the engine that stands by gets its share of the field, and the fail-over gets
// a newly proven card. Between allocates only when it hands over a card.
func (k *GPU) Between() error {
	k.Failover.Mirror()
	if k.next == nil {
		k.next = k.Supervisor.Ready()
	}
	if k.next == nil {
		return nil
	}
	err := k.Failover.Return(k.next)
	if errors.Is(err, failover.ErrPrimaryWorks) { // its child is dead: its next step will say so
		return nil
	}
	k.newest.Store(k.next)
	k.next = nil
	return err
}

// Newest returns the engine that the fail-over got last, nil before the first.
// Any goroutine may call it.
func (k *GPU) Newest() *gpu.Engine { return k.newest.Load() }

// Waiting reports whether a proven card waits for the present one to fail. It
// belongs to the goroutine that calls Between.
func (k *GPU) Waiting() bool { return k.next != nil }

// close gives up a card that the fail-over never took. The supervisor has ended.
func (k *GPU) close() error {
	if k.next == nil {
		return nil
	}
	return k.next.Close()
}

// RaiseCard lets the child's thread stand below the driver's, which stands below
// the loop's that waits for it: a busy machine serves an ordinary thread late. It
// does not raise a thread that spins for orders all the time.
func RaiseCard(c config.Config, o *gpu.Options) {
	if c.Loop.Priority > 2 && o.Setup.Wait != gpu.WaitSpin {
		o.Setup.Priority = c.Loop.Priority - 2
	}
}
