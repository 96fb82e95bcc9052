package testbench

import (
	"context"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// A Rig is one simulated car, wired: world, plant, HAT, driver and clock.
type Rig struct {
	Scenario *scenarios.Scenario
	Board    *hat.Board
	Driver   *picarx.Car
	Params   picarx.Params // the driver's, calibration included

	clock    robot.Clock
	virtual  *Virtual // nil in real time
	start    time.Duration
	seed     uint64
	tick     time.Duration // that a command takes to be decided, in virtual time
	unpaced  bool          // nobody tells the driver when ticks are released
	share    float64       // of the scenario's duration that will be driven; 0 means all
	charted  *oracle.Map   // what the run is held against, may be nil
	ordered  bool          // to stand, from the start
	world    *world.World
	car      *plant.Car
	eyes     eyes
	recorder recorder
	body     *Body
	actors   [numActors]actor

	responses [64]picarx.Response // buffer
}

// NewRig builds the scenario of one seed. Clock nil gives a virtual one; any
// other clock must be a real one, and the car then moves only while Run runs.
func NewRig(sc *scenarios.Scenario, seed uint64, clock robot.Clock) (*Rig, error) {
	r := &Rig{Scenario: sc, clock: clock, seed: seed}
	if clock == nil {
		r.virtual = &Virtual{}
		r.clock = r.virtual
	}
	r.start = r.clock.Now()
	w, pose, err := sc.Build(seed)
	if err != nil {
		return nil, err
	}
	if r.car, err = plant.New(sc.Car, w, pose, sc.Profile, seed); err != nil {
		return nil, err
	}
	r.car.Begin(r.start)
	r.world = w
	sonars := r.car.Sectors()[:1]
	if sc.Hat.Beams {
		sonars = r.car.Sectors()
	}
	r.Board, err = hat.New(sc.HatParams(seed), r.clock, r.car.Plant(), sonars, sc.HatFaults())
	if err != nil {
		return nil, err
	}
	r.Params = Calibrated(sc)
	if r.Driver, err = picarx.New(r.Board.Wire(), r.Params); err != nil {
		return nil, err
	}
	r.eyes = newEyes(r.car, len(sonars), r.Params.Sonar.Trust)
	r.recorder.init(r)
	r.car.OnStep = r.step
	r.body = &Body{rig: r}
	if r.virtual != nil {
		r.hireActors()
	}
	return r, nil
}

// Calibrated returns the driver's settings for a car whose owner has measured
// it: geometry, speed, its voltage and dead band are the simulated car's own.
func Calibrated(sc *scenarios.Scenario) picarx.Params {
	p := picarx.Default()
	c := &p.Cal
	c.Body = picarx.Shape{Wheelbase: sc.Car.Wheelbase, Track: sc.Car.Track, TopSpeed: sc.Car.TopSpeed}
	for _, g := range []*picarx.Gain{
		&c.Motors.Left.Forward, &c.Motors.Left.Backward,
		&c.Motors.Right.Forward, &c.Motors.Right.Backward,
	} {
		g.DeadBand = sc.Car.DeadBand
	}
	c.Motors.Nominal = sc.Car.Nominal
	c.Sonar.Ahead = sc.Car.SonarAhead
	return p
}

// hireActors sets up the threads of virtual time.
func (r *Rig) hireActors() {
	r.virtual.sleep = r.AdvanceTo
	r.actors[busActor] = actor{run: r.Driver.Service}
	r.actors[sonarActor] = actor{run: r.Driver.Ping}
	r.actors[watchActor] = actor{run: r.Driver.Watch}
}

// Drive makes tick run at every period from now on (virtual time only).
// Releases are absolute; the rig skips those that pass while a tick waits.
func (r *Rig) Drive(period time.Duration, tick func(now time.Duration)) {
	release := r.clock.Now() + period
	r.Pace(release, period)
	r.actors[tickActor] = actor{next: release, run: func(now time.Duration) time.Duration {
		tick(now)
		r.recorder.ticks++
		for now = r.clock.Now(); release <= now; {
			release += period
		}
		return release
	}}
}

// Pace tells the driver and the bench's own sensors when ticks are released, as
// picarx.Car.Pace says.
func (r *Rig) Pace(first, period time.Duration) {
	if r.unpaced {
		return
	}
	r.Driver.Pace(first, period)
	r.Board.CatchUp(func(now time.Duration, _ *hat.Outputs) { r.eyes.pace(first, now) })
}

// Run steps the driver in real time until ctx ends; see picarx.Car.Run.
func (r *Rig) Run(ctx context.Context) error { return r.Driver.Run(ctx) }

// Body returns the car as a brain drives it. There is one per rig.
func (r *Rig) Body() *Body { return r.body }

// Clock returns the rig's clock.
func (r *Rig) Clock() robot.Clock { return r.clock }

// Hold says that somebody ordered the car to stand from its start: that it never moves
// is no fault then.
func (r *Rig) Hold() { r.ordered = true }

// Elapsed returns the time since the rig was built.
func (r *Rig) Elapsed() time.Duration { return r.clock.Now() - r.start }

// Truth calls look with the car and the world while neither can change. Look
// must keep nothing and must not call the rig.
func (r *Rig) Truth(look func(c *plant.Car, w *world.World)) {
	r.Board.CatchUp(func(time.Duration, *hat.Outputs) { look(r.car, r.world) })
}

// Lift puts the car elsewhere, as a person's hand would: it stands there, and no
// sensor of its own tells it so.
func (r *Rig) Lift(to plant.Pose) {
	r.Board.CatchUp(func(time.Duration, *hat.Outputs) { r.car.Put(to) })
}

// step follows every step of the plant, under the board's lock.
func (r *Rig) step(c *plant.Car, out *hat.Outputs) {
	r.eyes.step(c)
	r.recorder.step(c, out)
}
