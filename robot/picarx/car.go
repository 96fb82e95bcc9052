package picarx

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/robot"
)

// A Car is a PiCar-X behind its wires. It is a robot.Body for the brain and
// two state machines, Service and Ping, for whoever drives it: Run in real
// time, the bench in virtual time.
type Car struct {
	p     Params
	w     Wire
	clock robot.Clock
	count counters

	// Handed from one goroutine to another.
	orders    tripleBuffer[order] // Act to Service
	outcome   tripleBuffer[told]  // Service to Sense
	responses ring                // Service to Responses
	grid      atomic.Pointer[grid]
	lead      atomic.Int64 // from the echo that Ping aims for to the release, set by Service
	halts     atomic.Uint64
	halted    atomic.Uint64 // newest halt that the bus has taken
	haltAt    atomic.Int64  // commands decided before it have no authority
	tripped   atomic.Pointer[trip]
	serving   atomic.Bool // somebody is inside Service
	pinging   atomic.Bool // somebody is inside Ping
	running   atomic.Bool // Run owns the stepping
	parked    atomic.Bool // Run has ended: the reset line stays low
	refused   atomic.Pointer[BoardError]
	due       atomic.Int64 // when Service must have been called again
	owner     atomic.Int64 // number of the thread that calls Service in Run
	late      atomic.Bool  // the controller was reset because that thread came late
	onThread  func(name string)
	cedes     bool                              // Run's threads pass Go's scheduler now and then
	starved   func() bool                       // whether that thread is ready without running; nil: not known
	witness   func(silent time.Duration) Reason // what made it late; nil: not known

	seq     uint64        // Act only
	excused int64         // Watch only: the silence already answered
	watchAt time.Duration // Watch only: when it wanted to be called

	// Service only.
	bus       bus
	link      link
	drive     drive
	supply    supply
	motors    [2]motor // by plug: left, right
	servos    [3]servo // steering, pan, tilt
	adc       adc
	timers    timers
	sweepPlan sweepPlan
	order     order         // what the newest step obeyed
	barrier   time.Duration // commands decided at or before it have no authority
	haltSeen  uint64
	still     time.Duration // since when both duties are zero
	told      told
	changed   bool // told has news

	// Ping only.
	sonars []sampler
	active int           // sonar whose turn it is
	pingAt time.Duration // when the turn starts
}

// told holds the readings that Service hands to Sense.
type told struct {
	floor     [robot.NumFloor]robot.Reading
	battery   robot.Reading
	steering  float32
	wheel     float32
	pan, tilt float32
}

// A trip is a stop through the reset line by another goroutine than Service.
type trip struct {
	reason error         // nil for an orderly end
	low    time.Duration // how long the line stays low
}

// New checks the wires and the settings and returns a car at rest. It does no
// I/O: the bring-up begins with the first call of Service.
func New(w Wire, p Params) (*Car, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	c := &Car{p: p, w: w, clock: w.Clock}
	c.due.Store(int64(w.Clock.Now()))
	c.orders.init()
	c.outcome.init()
	c.bus = bus{dev: w.Bus, clock: w.Clock, count: &c.count, simulated: w.Held != nil, tripped: &c.tripped}
	c.drive.p = &c.p
	c.motors[leftPlug] = motor{register: regCompare + chLeftMotor, dir: w.LeftDir}
	c.motors[rightPlug] = motor{register: regCompare + chRightMotor, dir: w.RightDir}
	for i, ch := range [...]byte{steeringServo: chSteering, panServo: chPan, tiltServo: chTilt} {
		c.servos[i].register = regCompare + ch
	}
	c.sonars = make([]sampler, len(w.Sonars))
	for i := range c.sonars {
		c.sonars[i].wire = w.Sonars[i]
		c.sonars[i].ear.Trust = p.Sonar.Trust
		c.sonars[i].out.init()
	}
	return c, nil
}

// check joins every complaint about missing or impossible wires.
func (w *Wire) check() error {
	var errs []error
	missing := func(absent bool, what string) {
		if absent {
			errs = append(errs, fmt.Errorf("picarx: wire: no %s", what))
		}
	}
	missing(w.Bus == nil, "I2C bus")
	missing(w.Reset == nil, "reset line")
	missing(w.LeftDir == nil, "left direction line")
	missing(w.RightDir == nil, "right direction line")
	missing(w.Clock == nil, "clock")
	var taken [robot.NumSectors]bool
	for i, s := range w.Sonars {
		missing(s.Trigger == nil, fmt.Sprintf("trigger line of sonar %d", i))
		missing(s.Echo == nil, fmt.Sprintf("echo line of sonar %d", i))
		if s.Sector < 0 || s.Sector >= robot.NumSectors {
			errs = append(errs, fmt.Errorf("picarx: wire: sonar %d looks at sector %d: must be 0 to %d", i, s.Sector, robot.NumSectors-1))
			continue
		}
		if taken[s.Sector] {
			errs = append(errs, fmt.Errorf("picarx: wire: sonar %d looks at sector %d, as one before it", i, s.Sector))
		}
		taken[s.Sector] = true
	}
	return errors.Join(errs...)
}

// Sense copies the newest readings into s. It neither blocks nor allocates.
// Yaw, Speed and Target stay empty: a PiCar-X has no such sensors.
func (c *Car) Sense(s *robot.State) {
	t := c.outcome.newest()
	*s = robot.State{
		Now: c.clock.Now(), Floor: t.floor, Battery: t.battery,
		CommandedSteering: t.steering, CommandedSpeed: t.wheel, Pan: t.pan, Tilt: t.tilt,
		Errors: c.count.errors.Load(), Resets: c.count.resets.Load(),
	}
	for i := range c.sonars {
		s.Range[c.sonars[i].wire.Sector] = *c.sonars[i].out.newest()
	}
	switch recent := s.Now-time.Duration(c.count.errorAt.Load()) < time.Second; {
	case phase(c.count.phase.Load()) != phaseReady && c.late.Load():
		s.Link = robot.LinkLate
	case phase(c.count.phase.Load()) != phaseReady:
		s.Link = robot.LinkDown
	case s.Errors > 0 && recent:
		s.Link = robot.LinkDegraded
	}
}

// Act hands over the newest command, clamped to the limits. It neither blocks
// nor allocates. Act refuses a command with NaN or infinity with ErrNotFinite,
// and the one before ages out. An instant in the future counts as now, so that
// no lease is longer than the driver's.
func (c *Car) Act(cmd robot.Command) error {
	if !cmd.Finite() {
		return ErrNotFinite
	}
	cmd = c.p.Limits.Clamp(cmd)
	cmd.At = min(cmd.At, c.clock.Now())
	c.seq++
	o := order{Command: cmd, seq: c.seq}
	c.orders.publish(&o)
	return nil
}

// Halt leaves the motors inert: both duties zero, twice with 2 ms between. It
// returns when the HAT has acknowledged that, or when the controller is in
// reset anyway. When the acknowledgement does not come within Params.StopWait,
// Halt pulls the reset line low, holds it and says why in a *StopError. Commands
// decided before the call are void. It is safe to repeat and to call from any
// goroutine.
func (c *Car) Halt() error {
	if c.parked.Load() {
		c.set(c.w.Reset, false)
		return nil
	}
	start, lates := c.clock.Now(), c.count.lates.Load()
	c.haltAt.Store(int64(start))
	ticket := c.halts.Add(1)
	deadline := start + c.p.StopWait
	for now := start; ; now = c.clock.Now() {
		if c.halted.Load() >= ticket {
			return nil
		}
		if now >= deadline {
			break
		}
		next := now + c.p.Poll
		if !c.running.Load() { // nobody else steps the car
			if next = c.Service(now); next <= now {
				continue
			}
		}
		c.clock.SleepUntil(min(next, now+c.p.Poll, deadline))
	}
	err := &StopError{Waited: c.p.StopWait, Simulated: c.w.Held != nil, Held: c.set(c.w.Reset, false)} // before any question is asked
	err.Reason, err.Err = c.unheard(start, lates), c.count.lastError()
	c.trip(err, c.p.BackOff)
	return err
}

// unheard says why nobody acknowledged a stop that was asked for at start, after
// so many late silences: the controller was not up; the owner came late since then or
// before and has not recovered; it is behind its time as one that is silent is; or the
// HAT did not answer it. Where nobody else steps the car no thread is late. A model
// that is up answers at once unless its scenario holds or fails the bus.
func (c *Car) unheard(start time.Duration, lates uint64) Reason {
	now, alone := c.clock.Now(), !c.running.Load()
	onTime := now-time.Duration(c.due.Load()) < c.p.StopWait/2
	switch {
	case c.late.Load() || c.count.lates.Load() != lates:
		return Late
	case (alone || onTime) && c.down():
		return Silent
	case alone:
		return Hung
	case c.w.Held != nil && !c.w.Held() && time.Duration(c.count.errorAt.Load()) < start:
		return Late
	case onTime:
		return Hung
	}
	return c.cause()
}

// down reports whether the controller is not up, and not because of a silence of its
// owner, which has a reason of its own.
func (c *Car) down() bool {
	switch phase(c.count.phase.Load()) {
	case phaseReset, phaseTest:
		var silence *SilenceError
		return !errors.As(c.count.lastError(), &silence)
	case phaseDeaf, phaseBoot, phaseProbe, phaseBackOff:
		return true
	}
	return false
}

// trip stops the motors through the reset line from any goroutine; Service
// takes note at its next call. It reports whether the line obeyed.
func (c *Car) trip(reason error, low time.Duration) bool {
	c.tripped.Store(&trip{reason, low})
	obeyed := c.set(c.w.Reset, false)
	if reason != nil {
		c.count.fail(reason)
	}
	return obeyed
}

// Pulled tells the driver that another process has pulled the reset line, which
// stopped the motors; Service brings the controller up again. It may be called from
// any goroutine, and neither blocks nor allocates.
func (c *Car) Pulled() {
	c.tripped.Store(&pulled) // from here on a missing acknowledge is no news
	c.count.last.Store(&pulled.reason)
}

// pulled is the trip of another process.
var pulled = trip{reason: ErrPulled, low: Default().ResetLow}

// set drives a line, counts a refusal and reports whether the line obeyed.
func (c *Car) set(line Output, high bool) bool { return c.drives(line, high) == nil }

// drives drives a line and counts a refusal.
func (c *Car) drives(line Output, high bool) error {
	err := line.Set(high)
	if err != nil {
		c.count.lineErrors.Add(1)
		c.count.fail(fmt.Errorf("picarx: drive GPIO line: %w", err))
	}
	return err
}
