package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/plan"
	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// A car is a body, an engine and a brain put together: what the service runs.
type car struct {
	*mind
	body    robot.Body                      // its Halt must be safe from any goroutine, beside Sense and Act
	driver  *picarx.Car                     // behind the body: statistics and threads
	work    func(ctx context.Context) error // runs the driver's threads
	picture func() []string                 // map for the live view
	release func() error                    // gives up what the body holds
}

// newCar builds the configured body, engine and brain on the given clock.
// tune adds to the settings of a graphics card.
func newCar(c daemon.Config, clock robot.Clock, tune func(*gpu.Options)) (*car, error) {
	if c.Body.Kind == "picarx" {
		return realCar(c, clock, tune)
	}
	return simulatedCar(c, clock, tune)
}

// close ends the engine's threads and releases the body.
func (c *car) close() error { return errors.Join(c.mind.close(), c.release()) }

// A mind is an engine and the brain that decides with it.
type mind struct {
	engine      field.Engine
	brain       *brain.Brain
	processor   *cpu.Engine // steps or stands by; nil of a simulation on a card
	seed        uint64
	calibration *picarx.Calibration // of the body
	card        *card               // of a daemon, nil without one
	solo        *soloCard           // of a simulation on a card, else nil
}

// close ends the engine's threads and the graphics card's program.
func (m *mind) close() error {
	if m.solo != nil {
		return m.solo.close()
	}
	err := m.engine.Close()
	if m.card != nil {
		err = errors.Join(err, m.card.close())
	}
	return err
}

// A seat is what a mind is put into.
type seat struct {
	body   robot.Body
	clock  robot.Clock
	seed   uint64
	driver picarx.Params // calibration and limits of the car
	task   daemon.BrainConfig
	worker func() // runs first on each of the engine's threads; nil for none
	// tune is not nil in a daemon, where a graphics card joins once it is proven,
	// and adds to its settings.
	tune func(*gpu.Options)
}

// referencePoint is where the brain's bearings start, in m ahead of the rear
// axle.
const referencePoint = 0.05

// raiseWorker puts an engine's worker just below the loop, which waits for it.
// A refusal is the loop's own and reported there.
func raiseWorker(c daemon.Config) func() {
	if c.Loop.Priority <= 1 {
		return nil
	}
	return func() { _ = daemon.Raise(c.Loop.Priority - 1) }
}

// newMind builds engine and brain for a seat.
func newMind(c daemon.Config, s seat) (*mind, error) {
	period := time.Duration(c.Loop.Period)
	m, err := newStepper(c.Engine, period, s)
	if err != nil {
		return nil, err
	}
	p := brain.Default()
	p.SetPeriod(period)
	p.Key = uint32(s.seed)
	p.Wheelbase = float32(s.driver.Cal.Body.Wheelbase)
	p.SonarLead = float32(s.driver.Cal.Sonar.Ahead - referencePoint)
	p.Cruise = min(float32(s.task.Cruise), p.Top)
	p.FollowLine, p.SeekGoal = s.task.FollowLine, s.task.Goal
	if s.task.Explore {
		p.Effort = plan.Full()
	}
	p.Safety.Cliff.Enabled = s.task.CliffOn()
	p.Safety.Limits = s.driver.Limits
	p.Quality, p.Budget = c.Engine.Quality, time.Duration(c.Engine.Budget)
	floor := &s.driver.Cal.Floor
	for i := range floor.Cliff {
		p.Safety.Cliff.Reference[i] = float32(floor.Cliff[i]) / picarx.FloorScale
		// The line's reference lies between floor and tape: 1.2 of it is
		// surely floor, 0.4 of it surely tape.
		p.LineLight[i] = float32(1.2*float64(floor.Line[i])) / picarx.FloorScale
		p.LineDark[i] = float32(0.4*float64(floor.Line[i])) / picarx.FloorScale
	}
	m.seed, m.calibration = s.seed, &s.driver.Cal
	if m.brain, err = brain.New(s.body, m.engine, s.clock, p); err != nil {
		return nil, errors.Join(err, m.close())
	}
	return m, nil
}

// newStepper returns a mind that has an engine but no brain yet: the
// processor's, with a card beside it in a daemon, or a card alone on the bench.
func newStepper(c daemon.EngineConfig, period time.Duration, s seat) (*mind, error) {
	p := fieldParams(period, uint32(s.seed), s.task.Recall)
	if s.tune == nil && c.Kind == "cuda" {
		b, err := newSoloCard(c, p)
		if err != nil {
			return nil, err
		}
		return &mind{engine: b.engine, solo: b}, nil
	}
	engine, err := newEngine(c, p, s.worker)
	if err != nil {
		return nil, err
	}
	m := &mind{engine: engine, processor: engine}
	if s.tune != nil {
		if m.card, err = newCard(c, p, engine, s.tune); err != nil {
			return nil, errors.Join(err, engine.Close())
		}
	}
	if m.card != nil {
		m.engine = m.card.failover
	}
	return m, nil
}

// fieldParams returns the parameters of the field: its period, the key of its
// noise, and whether the pattern library is on.
func fieldParams(period time.Duration, key uint32, recall bool) field.Params {
	p := field.Default()
	p.Period, p.Key = period, key
	if recall {
		p.Recall = field.DefaultLibrary()
	}
	return p
}

func stepKind(c daemon.EngineConfig) field.StepKind {
	if c.Step == "dense" {
		return field.Dense
	}
	return field.Collapsed
}

// newEngine builds the processor's engine of a configuration.
func newEngine(c daemon.EngineConfig, p field.Params, worker func()) (*cpu.Engine, error) {
	o := cpu.Options{ISA: c.Kind, Threads: c.Threads, Step: stepKind(c), OnThread: worker}
	if c.GPU() {
		o.ISA = "auto"
	}
	return cpu.New(p, o)
}

// chosenEngine names the processor's engine that a configuration leads to.
func chosenEngine(c daemon.Config) (string, error) {
	e, err := newEngine(c.Engine, fieldParams(time.Duration(c.Loop.Period), 1, false), nil)
	if err != nil {
		return "", err
	}
	return e.Name(), e.Close()
}

// engines names the engines this program can use on this machine.
func engines() []string { return cpu.ISAs() }

// describe fills in the car's part of the status.
func (m *mind) describe(s *daemon.Status) {
	b := m.brain.Remote().Status()
	s.Engine, s.Rung = m.engine.Name(), brain.Ladder()[b.Quality.Rung].Name
	s.Quality.Why, s.Quality.Changes = b.Quality.Why.String(), b.Quality.Changes
	s.Armed, s.Failsafe = b.Safety.Armed, strings.ToUpper(b.Safety.Level.String())
	if b.Safety.Causes != 0 {
		s.Causes = strings.Split(b.Safety.Causes.String(), ",")
	}
	if b.Safety.Tripped != 0 {
		s.Tripped = strings.Split(b.Safety.Tripped.String(), ",")
	}
	s.Mode = b.Mode.String()
	s.Speed, s.Steering = b.Trace.Command.Speed, b.Trace.Command.Steering
	front := b.State.Range[robot.Front]
	s.Range, s.RangeOK = front.Value, front.OK
	if b.State.Battery.OK {
		s.Battery = b.State.Battery.Value
	}
	s.Link = b.State.Link.String()
	if m.card != nil {
		s.GPU = m.card.status()
	}
}

// importCalibration converts the vendor's file and returns remarks on it.
func importCalibration(from, to string) ([]string, error) {
	c, unknown, err := picarx.LoadVendor(from, picarx.DefaultCalibration())
	if err != nil {
		return nil, err
	}
	var notes []string
	for _, key := range unknown {
		notes = append(notes, fmt.Sprintf("%s: %s is not known and was left out", from, key))
	}
	return notes, c.Save(to)
}
