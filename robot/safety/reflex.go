package safety

import (
	"fmt"
	"time"

	"fieldbrain/robot"
)

// Reflexes stand between the brain's wish and the body: they bound every
// command and overrule it where waiting for the field would be too late.
// Made by New, used by the one goroutine that ticks.
type Reflexes struct {
	p       Params
	machine Machine
	report  Causes        // raised from outside: EngineFault, Overrun
	now     time.Duration // instant of the last Apply
	begun   bool          // whether now holds one
	held    Causes        // what the last Apply returned
	last    robot.Command // what Apply last told the body

	inbox   inbox
	front   ranger
	cliff   cliff
	freezer freezer
	pack    pack
	stats   Stats
}

// Stats count since start what the reflexes had to do.
type Stats struct {
	BadCommands uint64            // commands with NaN or infinity, replaced
	Clamped     uint64            // commands beyond the limits, clamped
	BadReadings uint64            // readings no sensor can give, ignored
	Trips       [NumCauses]uint32 // how often each cause began
}

// A Status is what a command shows to people. It is a plain value.
type Status struct {
	Armed   bool
	Level   Level
	Causes  Causes // everything that holds now
	Tripped Causes // what disarmed the car last
	Stats   Stats
}

// New returns disarmed reflexes, or every complaint about p joined.
func New(p Params) (*Reflexes, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("safety: new reflexes: %w", err)
	}
	return &Reflexes{p: p}, nil
}

// Arm lets the motors run, or returns a *Refusal naming what stands against it.
func (r *Reflexes) Arm() (err error) {
	r.machine, err = r.machine.Arm()
	return err
}

// Disarm makes the motors inert with the next Apply.
func (r *Reflexes) Disarm() { r.machine = r.machine.Disarm() }

// Trip makes the motors inert with the next Apply, as Disarm does, and shows
// why in Status.Tripped. Report a cause as well that shall keep the car
// disarmed.
func (r *Reflexes) Trip(why Causes) { r.machine = r.machine.Trip(why) }

// EStop makes the motors inert with the next Apply and until Reset and Arm.
func (r *Reflexes) EStop() { r.machine = r.machine.EStop() }

// Reset empties the latch. It returns ErrArmed, or a *Refusal while the cause
// that latched the car is still present.
func (r *Reflexes) Reset() (err error) {
	r.machine, err = r.machine.Reset()
	return err
}

// Report sets the causes that only others can see, such as EngineFault and
// Overrun, until the next Report. The reflexes' own causes add to them.
func (r *Reflexes) Report(c Causes) { r.report = c }

// Edges reports which floor sensors read an edge now, for the brain's own map
// of cliffs; all false while cliff detection is off.
func (r *Reflexes) Edges() (dark [robot.NumFloor]bool) {
	for i := range dark {
		dark[i] = r.p.Cliff.Enabled && r.cliff.sensors[i].dark >= r.p.Cliff.TripReads
	}
	return dark
}

// Frozen reports which ranges repeat themselves, so that the brain can do without
// them. R3 holds for the one ahead: while that is frozen the car soon stands.
func (r *Reflexes) Frozen() (stuck [robot.NumSectors]bool) {
	for i := range stuck {
		stuck[i] = r.freezer.ranges[i].stuck
	}
	return stuck
}

// FrozenFloor reports whether no line can be seen because floor sensors repeat themselves that
// had noise while the car stood, two at least, also while cliff detection is off.
func (r *Reflexes) FrozenFloor() bool {
	stuck := 0
	for i := range r.freezer.floor {
		if f := &r.freezer.floor[i]; f.stuck && f.lively >= livelyLeast {
			stuck++
		}
	}
	return stuck >= 2
}

// Retreats reports whether R1 drives the car away from an edge: what the brain wants
// does not count meanwhile.
func (r *Reflexes) Retreats() bool { return r.cliff.stage != idle }

// Lifted reports whether the floor is gone from under the car as Lifted means it, armed or not:
// where people carry it is not known. False while cliff detection is off.
func (r *Reflexes) Lifted() bool { return r.cliff.aloft.lifted }

// Carried reports whether a place some metres ahead of the rear axle and left of it has
// been under the car, so that R1 lets its rear wheels back over it; true everywhere
// while cliff detection is off.
func (r *Reflexes) Carried(ahead, left float32) bool {
	return !r.p.Cliff.Enabled || r.cliff.floor.holds(ahead, left, &r.p)
}

// Status returns what holds now and what happened since start.
func (r *Reflexes) Status() Status {
	return Status{
		Armed: r.machine.Armed(), Level: r.machine.Level(), Causes: r.machine.Causes(),
		Tripped: r.machine.Tripped(), Stats: r.stats,
	}
}

// Apply returns the command for the body, given the newest state and what the
// brain wants, and everything that holds against it. The loop calls it once a
// period, armed or not. It does not allocate and gives the same bits for the
// same calls on every machine.
//
// The command keeps the At and Data of the wanted one, so that the body's
// lease still measures the brain and not the reflexes.
func (r *Reflexes) Apply(s *robot.State, want robot.Command) (robot.Command, Causes) {
	now := max(s.Now, want.At) // an old copy must not stop the clock
	causes := r.report | r.gap(now) | stateCauses(s, &r.p, now)
	want, c := r.accept(want, now)
	causes |= c | r.sense(s, now)
	if r.front.blocks(r.ahead(s, want, causes, now), &r.p, now) {
		causes |= Obstacle
	}
	r.machine = r.machine.Observe(causes)
	causes = r.machine.Causes()
	r.count(causes)

	if !r.begun {
		r.adopt(s)
	}
	r.begun, r.now, r.held = true, now, causes
	r.last = r.overrule(s, want, causes, now)
	return r.last, causes
}

// gap returns Paused when the ticks' clock jumped.
func (r *Reflexes) gap(now time.Duration) Causes {
	if r.begun && age(now, r.now, 0) > r.p.Pause { // backwards is forever old
		return Paused
	}
	return 0
}

// accept keeps impossible commands out and counts them.
func (r *Reflexes) accept(want robot.Command, now time.Duration) (robot.Command, Causes) {
	if !want.Finite() {
		r.stats.BadCommands++
	}
	good, c := r.inbox.accept(want, &r.p, now)
	clamped := r.p.Limits.Clamp(good)
	if clamped != good {
		r.stats.Clamped++
	}
	return clamped, c
}

// sense gives every reflex its readings and returns their causes. Frozen
// sensors come first: the others must not trust them.
func (r *Reflexes) sense(s *robot.State, now time.Duration) Causes {
	causes := r.freezer.sense(s, &r.p)
	c, bad := r.front.sense(s, &r.freezer.ranges[robot.Front], &r.p, now)
	r.stats.BadReadings += bad
	causes |= c
	c, bad = r.cliff.sense(s, &r.freezer, &r.p, now)
	r.stats.BadReadings += bad
	if !r.machine.Armed() && !r.machine.Tripped().Has(Lifted) { // what keeps it from arming is Cliff
		c &^= Lifted
	}
	causes |= c
	c, bad = r.pack.sense(s.Battery, &r.freezer.battery, &r.p, now)
	r.stats.BadReadings += bad
	return causes | c
}

// adopt takes the servos' positions as the start of the slew limits.
func (r *Reflexes) adopt(s *robot.State) {
	was := robot.Command{Steering: s.CommandedSteering, Pan: s.Pan, Tilt: s.Tilt}
	if was.Finite() {
		r.last = r.p.Limits.Clamp(was)
	}
}

// count notes the causes that began with this tick.
func (r *Reflexes) count(now Causes) {
	began := now &^ r.held
	for i := range r.stats.Trips {
		if began.Has(1 << i) {
			r.stats.Trips[i]++
		}
	}
}
