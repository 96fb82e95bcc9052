package testbench

import "time"

// Virtual is a clock that moves when somebody sleeps. It belongs to one
// goroutine.
type Virtual struct {
	now   time.Duration
	sleep func(t time.Duration) // lets others run until t; nil when there are none
}

// Now implements robot.Clock.
func (v *Virtual) Now() time.Duration { return v.now }

// SleepUntil implements robot.Clock: everything due before t happens first.
func (v *Virtual) SleepUntil(t time.Duration) {
	if v.sleep != nil {
		v.sleep(t)
	}
	v.now = max(v.now, t)
}

// never is the next instant of an actor that has nothing to do.
const never = time.Duration(1<<63 - 1)

// An actor is one thread of the real program, as virtual time runs it.
type actor struct {
	next time.Duration                                // when it wants to run
	ran  time.Duration                                // when it last did
	busy bool                                         // inside run, perhaps waiting
	run  func(now time.Duration) (next time.Duration) // nil: no such actor
}

// The actors of a rig, in the order in which they run at equal instants.
const (
	busActor = iota
	sonarActor
	watchActor
	tickActor
	numActors
)

// instant is the least time a call takes: an actor that wants to run again at
// once does so after it, so that virtual time cannot stand still.
const instant = time.Microsecond

// AdvanceTo runs everything due until t and leaves the clock at t, or later
// when a transaction ends later. In real time it sleeps.
func (r *Rig) AdvanceTo(t time.Duration) {
	if r.virtual == nil {
		r.clock.SleepUntil(t)
		return
	}
	for {
		a := r.due(t)
		if a == nil {
			break
		}
		now := max(r.virtual.now, a.next)
		r.virtual.now, a.ran, a.busy = now, now, true
		next := a.run(now)
		a.next, a.busy = max(next, now+instant), false
	}
	r.virtual.now = max(r.virtual.now, t)
}

// due returns the idle actor that wants to run first, nil when none does by t.
func (r *Rig) due(t time.Duration) *actor {
	var first *actor
	for i := range r.actors {
		a := &r.actors[i]
		if a.busy || a.run == nil {
			continue
		}
		if i == sonarActor { // an echo edge wakes the sampler
			if edge, ok := r.Board.NextEdge(); ok && edge > a.ran {
				a.next = min(a.next, edge)
			}
		}
		if a.next <= t && (first == nil || a.next < first.next) {
			first = a
		}
	}
	return first
}
