package service

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot/safety"
)

// guarded runs the tick under the eyes of the guard, where there is one: the beat
// comes first, so that a tick that does not return is a silence.
func (s *Service) guarded(now time.Duration) *brain.Trace {
	g, b := s.car.Guard, s.car.Brain
	if g == nil {
		s.sabotaged()
		return b.Tick(now)
	}
	trip := g.Beat(now)
	s.sabotaged()
	b.Guarded(!trip.Lost)
	if trip.Stopped {
		b.Trip(safety.Unguarded)
		s.car.Driver.Pulled()
	}
	if trip.EStop {
		s.stopNow()
	}
	trace := b.Tick(now)
	g.Noted(trip)
	return trace
}

// unguard tells the guard that the loop ends on purpose, so that the driver stops the
// motors and not the guard.
func (s *Service) unguard() {
	if s.car.Guard != nil {
		s.car.Guard.End()
	}
}

// sabotaged lets a bench hold up the tick.
func (s *Service) sabotaged() {
	if s.sabotage != nil {
		s.sabotage()
	}
}

// renewEvery is how many looks of the watch lie between two for a new guard.
const renewEvery = int(time.Second / lookEvery)

// A care is what the watch knows of the guard.
type care struct {
	looks int
	err   error // of the newest look for one
	trips int   // that somebody has armed the car after
}

// stopped reports whether the guard has stopped the car and nobody has armed it since.
// armed is what the brain said after state was read. A trip that no tick has acted on
// yet stands beside an armed car: it is not one that somebody has armed after.
func (c *care) stopped(state guard.State, armed bool) bool {
	if armed {
		c.trips = max(c.trips, state.Noted)
	}
	return state.Trips > c.trips
}

// noteGuard looks for a guard where there is none and keeps visible what it lacks
// and what it did.
func (s *Service) noteGuard() {
	g := s.car.Guard
	if g == nil {
		return
	}
	c := &s.care
	if g.Lost() && c.looks%renewEvery == 0 {
		c.err = g.Renew()
	}
	c.looks++
	state := g.State() // before the brain's status
	stopped := c.stopped(state, s.car.Brain.Remote().Status().Safety.Armed)
	for _, n := range guardConditions(state, c.err, g.Socket(), s.settings.Loop.Priority) {
		s.conditions.Put(n.Condition, n.holds)
	}
	s.conditions.Put(loop.Condition{
		Name: "guard-stopped", Value: "fieldbrain-guard has stopped the car: " + state.Cause.String(),
		Cause:  "it pulled the HAT's reset line; its journal has the time",
		Remedy: "look where the car is; after an emergency stop fieldbrain reset; then fieldbrain arm",
	}, stopped)
}

// otherDaemon is the remedy where another daemon drives the car.
const otherDaemon = "stop the other daemon first (sudo systemctl stop fieldbrain, or kill its process), or this one: a car has one"

// A noted condition, and whether it holds.
type noted struct {
	loop.Condition
	holds bool
}

// guardConditions says what is wrong with the guard itself.
func guardConditions(state guard.State, err error, socket string, priority int) []noted {
	why := "it does not look any more"
	if err != nil {
		why = err.Error()
	}
	none := loop.Condition{
		Name: "guard", Value: "nobody would stop the motors if this program died; the car does not arm", Cause: why,
		Remedy: "sudo systemctl start fieldbrain-guard, and see its journal; by hand: fieldbrain-guard --socket " + socket,
	}
	if errors.Is(err, guard.ErrOther) {
		none.Value, none.Remedy = "the guard looks after another daemon, and this one does not arm", otherDaemon
	}
	return []noted{
		{none, state.Lost},
		{loop.Condition{
			Name: "guard-socket", Value: "nobody but this program reaches the guard: a stop through its socket does not arrive",
			Cause:  "its files were removed and it cannot make them anew; its journal says why",
			Remedy: "put the folder of " + socket + " right, and it makes them anew within a second; once the car stands: sudo systemctl restart fieldbrain-guard",
		}, !state.Lost && state.Hidden},
		{loop.Condition{
			Name: "guard-realtime", Value: fmt.Sprintf("the guard has real-time priority %d, the loop wants %d", state.Priority, priority),
			Cause:  "a load, or a loop that spins, can keep the guard from stopping the car",
			Remedy: fmt.Sprintf("set LimitRTPRIO=%d in fieldbrain-guard.service, or loop.priority below %d; the guard's journal says where it is the kernel instead", max(60, priority+1), max(2, state.Priority)),
		}, !state.Lost && state.Priority <= priority},
		{loop.Condition{
			Name: "guard-memory", Value: "the guard's memory is not locked, a page fault can delay it",
			Cause: "the kernel refused mlockall", Remedy: "set LimitMEMLOCK=infinity in fieldbrain-guard.service",
		}, !state.Lost && !state.Locked},
	}
}
