package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// lookEvery is how often slow goroutines look at published copies.
const lookEvery = 100 * time.Millisecond

// A service is the running daemon: the car, the loop, and what is around them.
type service struct {
	config     daemon.Config
	log        *daemon.Log
	control    *daemon.Control
	car        *car
	loop       *daemon.Loop
	recorder   *daemon.Recorder
	conditions *daemon.Conditions
	since      time.Time
	build      build
	keeper     *keeper // nil when nothing of the mind is kept

	// Written by the loop's thread only.
	trace     *brain.Trace
	overload  *daemon.Overload
	sleeper   sleeper
	responses [64]time.Duration

	// Handed from the loop's thread to the slow goroutines.
	wanted   atomic.Bool // --arm holds until a person disarms or stops
	strain   atomic.Uint32
	tickErrs atomic.Uint64
	lastErr  daemon.Latch[error]

	gauge   daemon.Gauge                 // the watch's
	looks   int                          // of the watch so far
	quality daemon.Latch[daemon.Quality] // from the watch, without what the brain tells itself

	turn     chan struct{} // holds a token while an order waits for its tick
	stopping atomic.Bool   // an emergency stop waits for its tick
}

// newService puts the car and the loop together; nothing runs yet.
func newService(config daemon.Config, log *daemon.Log, control *daemon.Control) (*service, error) {
	clock := robot.NewMonotonic()
	built, err := newCar(config, clock, func(o *gpu.Options) {
		o.Changed = logCard(log)
		raiseCard(config, o)
	})
	if err != nil {
		return nil, err
	}
	s := &service{
		config: config, log: log, control: control, car: built,
		recorder:   daemon.NewRecorder(),
		conditions: daemon.NewConditions(time.Now, log.Change),
		since:      time.Now(), build: thisBuild(),
		overload: daemon.NewOverload(daemon.DefaultOverload(), time.Duration(config.Loop.Period)),
		turn:     make(chan struct{}, 1),
		sleeper:  sleeper{asleep: robot.Asleep},
		gauge:    daemon.Gauge{Root: os.DirFS("/"), Limit: config.Engine.Hot},
	}
	built.driver.OnThread(s.raiseDriver)
	hooks := daemon.Hooks{Tick: s.tick, After: s.after, Refused: s.conditions.Set}
	if s.loop, err = daemon.NewLoop(clock, config.Loop.Params(), hooks); err != nil {
		return nil, err
	}
	return s, nil
}

// tick is the loop's: one tick of the brain. A car that drove into a suspend
// does not drive out of it.
func (s *service) tick(now time.Duration) {
	if s.sleeper.woke() {
		s.car.brain.Trip(safety.Paused)
	}
	s.trace = s.car.brain.Tick(now)
}

// after is what the loop's thread does between two ticks: it records, and stops
// a car whose brain cannot keep up.
func (s *service) after(sample daemon.Sample) {
	s.recorder.Record(s.trace, sample)
	for _, d := range s.responses[:s.car.driver.Responses(s.responses[:])] {
		s.recorder.Respond(d)
	}
	if sample.Warm {
		s.strained(s.overload.Observe(sample.Skipped))
	}
	if s.trace.Err != nil {
		s.fault(s.trace.Err)
	}
	if s.car.card != nil {
		if err := s.car.card.between(); err != nil {
			s.fault(err)
		}
	}
	if s.keeper != nil {
		s.keeper.between(sample)
	}
}

// fault counts what the loop's thread could not do and keeps the newest words.
func (s *service) fault(err error) {
	s.tickErrs.Add(1)
	s.lastErr.TryPut(&err)
}

// strained acts on the level of strain. The real car is disarmed once, when the
// loop becomes overloaded, and cannot be armed while it is. The simulated one
// goes slower, and may be armed on a busy machine: nothing can be run over.
func (s *service) strained(now daemon.Strain) {
	before := daemon.Strain(s.strain.Swap(uint32(now)))
	overloaded, physical := now == daemon.Overloaded, s.config.Body.Kind == "picarx"
	s.car.brain.Strained(overloaded && (physical || !s.trace.Causes.Has(safety.Disarmed)))
	if physical && overloaded && before != daemon.Overloaded {
		s.car.brain.Trip(safety.Overrun)
	}
}

// raiseDriver puts the driver's threads just below the loop's: the bus must be
// served before anything ordinary, but never instead of the tick.
func (s *service) raiseDriver(string) {
	if s.config.Loop.Priority <= 1 {
		return
	}
	if c := daemon.Raise(s.config.Loop.Priority - 1); c != nil {
		s.conditions.Set(*c)
	}
}

// status gathers what the daemon says about itself from published copies.
func (s *service) status() daemon.Status {
	status := daemon.Status{
		Version: s.build.Version, PID: os.Getpid(), Since: s.since,
		Body:       s.config.Body.Kind,
		Conditions: s.conditions.List(), Table: s.recorder.Table(s.loop.Counts()),
		LogDropped: s.log.Dropped(), Refused: s.control.Refused(), Quality: s.quality.Get(),
	}
	s.car.describe(&status)
	if s.keeper != nil {
		kept := s.keeper.told.Get()
		status.Memory = &kept
	}
	return status
}

// halt leaves the motors inert at the end.
func (s *service) halt() error {
	if err := s.car.body.Halt(); err != nil {
		return fmt.Errorf("the motors may still turn, switch the HAT off: %w", err)
	}
	return nil
}

// A companion runs beside the loop until its context ends.
type companion struct {
	what string
	run  func(context.Context) error
}

// besides returns what runs beside every loop. failed ends the program.
func (s *service) besides(failed func(error)) []companion {
	list := []companion{
		{"control socket", func(ctx context.Context) error { return s.control.Serve(ctx, s.answers(failed)) }},
		{"watch", s.watch},
	}
	if s.keeper != nil {
		list = append(list, companion{"saves", func(ctx context.Context) error { return s.keeper.run(ctx, s.noteKept) }})
	}
	if s.car.card != nil {
		list = append(list, companion{"graphics card", s.car.card.supervisor.Run})
	}
	return list
}
