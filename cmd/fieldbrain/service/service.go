package service

import (
	"errors"
	"os"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/forensics"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/recording"
	"fieldbrain/field/failover"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
)

// lookEvery is how often slow goroutines look at published copies.
const lookEvery = 100 * time.Millisecond

// Options are the parts of a service.
type Options struct {
	Settings config.Config
	Log      *daemon.Log     // stays the caller's, who closes it after Serve
	Control  *daemon.Control // Serve closes it
	Version  string          // of the program, for status and saved brains
	Sabotage func()          // benches: runs on the loop's thread within every tick; nil otherwise
	Without  Remedies        // benches: leaves them out

	// Benches: hears of every tick, on the loop's thread, and whether the car is armed; nil otherwise.
	Sampled func(s loop.Sample, armed bool)
}

// A Service is the running daemon: the car, the loop and everything around them.
type Service struct {
	settings   config.Config
	log        *daemon.Log
	control    *daemon.Control
	car        *car.Car
	loop       *loop.Loop
	recorder   *loop.Recorder
	witness    *loop.Witness
	inspector  *forensics.Inspector
	conditions *loop.Conditions
	since      time.Time
	version    string
	clock      robot.Clock
	autosave   *autosave                          // nil when the configuration keeps nothing
	telemetry  *telemetryWriter                   // nil where page and ring could not be made
	recording  atomic.Pointer[recording.Recorder] // nil when nothing is recorded
	taping     taping
	stills     *stills // nil where nobody keeps any
	begun      beginning
	without    Remedies // of benches
	owns       bool     // the loop has a processor of its own

	// Written by the loop's thread only.
	trace     *brain.Trace
	overload  *loop.Overload
	sleeper   sleeper
	sabotage  func() // of benches: runs at the start of every tick
	sampled   func(s loop.Sample, armed bool)
	responses [64]picarx.Response

	// Handed from the loop's thread to the slow goroutines.
	arming   arming // of --arm
	strain   atomic.Uint32
	tickErrs atomic.Uint64
	lastErr  loop.Box[error]

	// The watch's own.
	thermometer daemon.Thermometer
	care        care // of the guard
	collector   collector
	ledger      ledger // of the log
	overrun     holdOff
	bus         busWatch
	tally       tally                       // of the causes in the log
	heap        loop.Box[daemon.HeapStatus] // for status
	looks       int                         // so far
	ended       uint64                      // of the orders with a number below it ends are in the log
	driver      brain.DriverState           // whose change is in the log
	usage       daemon.Usage                // of the machine
	cardShare   daemon.Share                // of one processor, its program's
	gauges      loop.Box[daemon.Gauges]     // for status, without what the driver tells
	turns       failover.State              // whose changes are in the log
	quality     loop.Box[daemon.Quality]    // for status, without what the brain tells itself

	page  page                // of the control socket
	lease *daemon.ManualLease // for people

	turn chan struct{} // holds a token while an order waits for its tick
	stop stopping

	signals signals
}

// New puts the car and the loop together; nothing runs yet. Close gives the car
// up when Serve is never called. From here on a signal that would end the process makes
// Serve end in order, at once where it came before: no file stays half made.
func New(o Options) (s *Service, err error) {
	caught := catch()
	defer func() {
		if err != nil {
			caught.restore()
		}
	}()
	clock := robot.NewMonotonic()
	built, err := car.New(o.Settings, clock, func(card *gpu.Options) {
		card.Changed = logCard(o.Log)
		car.RaiseCard(o.Settings, card)
	})
	if err != nil {
		return nil, err
	}
	s = &Service{
		settings: o.Settings, log: o.Log, control: o.Control, car: built, clock: clock,
		recorder:   loop.NewRecorder(),
		witness:    loop.NewWitness(),
		conditions: loop.NewConditions(time.Now, o.Log.Change),
		since:      time.Now(), version: o.Version, sabotage: o.Sabotage, sampled: o.Sampled, without: o.Without,
		overload:    loop.NewOverload(loop.DefaultOverload(), time.Duration(o.Settings.Loop.Period)),
		taping:      taping{asked: make(chan *tape)},
		turn:        make(chan struct{}, 1),
		signals:     caught,
		sleeper:     sleeper{asleep: robot.Asleep},
		page:        page{form: daemon.NewAnswerEncoder()},
		thermometer: daemon.Thermometer{Root: os.DirFS("/"), Limit: o.Settings.Engine.Hot},
		usage:       daemon.Usage{Root: os.DirFS("/")},
	}
	s.owns = loop.MayUse(o.Settings.Loop.CPU)
	s.lease = daemon.NewManualLease(built.Brain.Remote().Steer, time.Duration(o.Settings.Manual.Deadman))
	built.Driver.OnThread(s.raiseDriver)
	built.Driver.OnSilence(s.whyLate)
	hooks := loop.Hooks{Tick: s.tick, After: s.after, Refused: s.conditions.Set, Ended: s.unguard, Paced: func(first time.Duration) {
		built.Pace(first, time.Duration(o.Settings.Loop.Period))
	}}
	if s.loop, err = loop.New(clock, o.Settings.Loop.Params(), hooks); err != nil {
		return nil, err
	}
	if err := s.newTelemetryWriter(clock); err != nil {
		s.conditions.Set(telemetryCondition(err))
	}
	s.newInspector(os.Getenv)
	return s, nil
}

// Close gives up the car of a service that never served.
func (s *Service) Close() error {
	s.signals.restore()
	return errors.Join(s.endScribe(), s.inspector.Close(), s.witness.Close(), s.car.Close())
}

// Car returns the car. Its published copies may be read at any time.
func (s *Service) Car() *car.Car { return s.car }

// Socket returns the path of the control socket.
func (s *Service) Socket() string { return s.control.Path() }

// Latency returns the percentiles of everything published so far.
func (s *Service) Latency() loop.Table { return s.recorder.Table(s.loop.Counts()) }

// tick is the loop's: one tick of the brain. A car that drove into a suspend
// does not drive out of it.
func (s *Service) tick(now time.Duration) {
	if s.trace == nil {
		s.witness.Here()
	}
	if s.sleeper.woke() {
		s.car.Brain.Trip(safety.Paused)
	}
	s.trace = s.guarded(now)
}

// after runs on the loop's thread between two ticks: it records, and stops a car
// whose brain cannot keep up.
func (s *Service) after(sample loop.Sample) {
	s.recorder.Record(s.trace, sample)
	if r := s.recording.Load(); r != nil {
		r.Put(s.car.Brain, s.trace)
	}
	if s.stills != nil { // before anybody calls the brain
		s.stills.between(s.trace.Now, sample, &s.recording)
	}
	longest := s.respond()
	s.noted(sample, longest)
	if s.telemetry != nil {
		s.telemetry.after(s.trace, sample, longest, s.loop.Counts())
	}
	if sample.Warm {
		s.strained(s.overload.Observe(sample.Skipped))
	}
	if s.trace.Err != nil {
		s.fault(s.trace.Err)
	}
	if s.car.GPU != nil {
		if err := s.car.GPU.Between(); err != nil {
			s.fault(err)
		}
	}
	if s.autosave != nil {
		s.autosave.between(sample)
	}
	if s.sampled != nil {
		s.sampled(sample, !s.trace.Causes.Has(safety.Disarmed))
	}
}

// respond records the times from sensor to motor since the tick before, and returns
// the longest.
func (s *Service) respond() (longest time.Duration) {
	for _, r := range s.responses[:s.car.Driver.Responses(s.responses[:])] {
		took := r.Took()
		longest = max(longest, took)
		s.recorder.Respond(took)
		if s.telemetry != nil {
			s.telemetry.w.Respond(took)
		}
	}
	return longest
}

// fault counts the failures of the loop's thread and keeps the newest words.
func (s *Service) fault(err error) {
	s.tickErrs.Add(1)
	s.lastErr.TrySet(&err)
}

// strained acts on the level of strain. It disarms the real car once, when the
// loop becomes overloaded, and refuses to arm it while that lasts. The simulated
// car goes slower and may arm on a busy machine: it can run over nothing.
func (s *Service) strained(now loop.Strain) {
	before := loop.Strain(s.strain.Swap(uint32(now)))
	overloaded, physical := now == loop.Overloaded, s.settings.Body.Kind == "picarx"
	s.car.Brain.Strained(overloaded && (physical || !s.trace.Causes.Has(safety.Disarmed)))
	if physical && overloaded && before != loop.Overloaded {
		s.car.Brain.Trip(safety.Overrun)
	}
}

// raiseDriver puts the driver's threads just below the loop's.
func (s *Service) raiseDriver(string) {
	r := s.ranks()
	if r.Driver == 0 {
		return
	}
	if c := loop.RaiseBelow(r.Driver, r.Loop); c != nil {
		s.conditions.Set(*c)
	}
}
