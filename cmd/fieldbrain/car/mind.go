package car

import (
	"errors"
	"time"

	"fieldbrain"
	"fieldbrain/brain"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// A Mind is an engine and the brain that decides with it.
type Mind struct {
	Engine      field.Engine
	Brain       *brain.Brain
	Processor   *cpu.Engine         // steps or stands by; nil of a simulation on a card
	Seed        uint64              // key of its noise
	Calibration *picarx.Calibration // of the body
	Seat        Seat                // it was built for
	GPU         *GPU                // of a daemon, nil without one
	Rays        *Rays               // of the planner, where there may be a card to cast them, else nil
	solo        *soloCard           // of a simulation on a card, else nil
}

// Close ends the engine's threads and the graphics card's program.
func (m *Mind) Close() error {
	if m.solo != nil {
		return m.solo.close()
	}
	err := m.Engine.Close()
	if m.GPU != nil {
		err = errors.Join(err, m.GPU.close())
	}
	return err
}

// A Seat is the place of a mind: a body and its clock, and what the mind shall
// do there.
type Seat struct {
	Body   robot.Body
	Clock  robot.Clock
	Seed   uint64
	Driver picarx.Params // calibration and limits of the car
	Task   fieldbrain.Task
	Worker func() // runs first on each of the engine's threads; nil for none
	// Field is what a bench takes away of the field; the zero one is nothing. A
	// daemon leaves it alone.
	Field ablation.Kind
	// Tune adds to the settings of a graphics card. It is not nil in a daemon,
	// where a card joins once it is proven.
	Tune func(*gpu.Options)
}

// raiseWorker puts an engine's worker just below the loop, which waits for it.
// The loop meets the same refusal and reports it.
func raiseWorker(c config.Config) func() {
	if c.Loop.Priority <= 1 {
		return nil
	}
	return func() { _ = loop.Raise(c.Loop.Priority - 1) }
}

// NewMind builds engine and brain for a seat.
func NewMind(c config.Config, s Seat) (*Mind, error) {
	o := options(c, s)
	m, err := newStepper(c.Engine, &o, s)
	if err != nil {
		return nil, err
	}
	m.Seed, m.Calibration, m.Seat = s.Seed, &s.Driver.Cal, s
	o.Engine = m.Engine
	b, err := fieldbrain.New(s.Body, o)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.Brain = b.Core()
	if m.Rays != nil {
		m.Brain.Lend(m.Rays)
	}
	return m, nil
}

// options returns the options that a configuration asks for in a seat.
func options(c config.Config, s Seat) fieldbrain.Options {
	o := fieldbrain.Default()
	o.Task, o.Shape = s.Task, fieldbrain.PiCarX(s.Driver.Sheet())
	o.Period, o.Seed, o.Clock = time.Duration(c.Loop.Period), s.Seed, s.Clock
	o.Quality, o.Budget, o.Planes = c.Engine.Quality, time.Duration(c.Engine.Budget), c.Engine.Planes
	return o
}

// newStepper returns a mind that has an engine but no brain yet: the
// processor's, with a card beside it in a daemon, or a card alone on the bench.
func newStepper(c config.Engine, o *fieldbrain.Options, s Seat) (*Mind, error) {
	p := o.Field()
	s.Field.Prepare(&p)
	if s.Tune == nil && c.Kind == "cuda" {
		b, err := newSoloCard(c, p)
		if err != nil {
			return nil, err
		}
		rays := NewRays(func() *gpu.Engine { return b.engine })
		rays.patience = soloLimit
		return &Mind{Engine: s.Field.Wrap(b.engine, &p), Rays: rays, solo: b}, nil
	}
	engine, err := NewEngine(c, p, s.Worker)
	if err != nil {
		return nil, err
	}
	m := &Mind{Engine: s.Field.Wrap(engine, &p), Processor: engine}
	if s.Tune != nil {
		if m.GPU, err = newCard(c, p, engine, s.Tune); err != nil {
			return nil, errors.Join(err, engine.Close())
		}
	}
	if m.GPU != nil {
		m.Engine, m.Rays = m.GPU.Failover, NewRays(m.GPU.Newest)
	}
	return m, nil
}

// FieldParams returns the parameters of the field: its period, the seed of its
// noise, and whether the pattern library is on.
func FieldParams(period time.Duration, seed uint64, recall bool) field.Params {
	o := fieldbrain.Default()
	o.Period, o.Seed, o.Task.Recall = period, seed, recall
	return o.Field()
}

// NewEngine builds the processor's engine of a configuration. worker runs first
// on each of its threads; nil for none.
func NewEngine(c config.Engine, p field.Params, worker func()) (*cpu.Engine, error) {
	o := cpu.Options{ISA: c.Kind, Threads: c.Threads, Step: stepKind(c), OnThread: worker, Half: c.Halves}
	if c.Kind == "cuda" {
		o.ISA = "auto"
	}
	return cpu.New(p, o)
}

// stepKind returns how the engine shall step.
func stepKind(c config.Engine) field.StepKind {
	if c.Step == "dense" {
		return field.Dense
	}
	return field.Collapsed
}

// EngineName names the processor's engine that a configuration leads to.
func EngineName(c config.Config) (string, error) {
	p := FieldParams(time.Duration(c.Loop.Period), 1, false)
	field.Reduce(&p.Table, c.Engine.Planes)
	e, err := NewEngine(c.Engine, p, nil)
	if err != nil {
		return "", err
	}
	return e.Name(), e.Close()
}
