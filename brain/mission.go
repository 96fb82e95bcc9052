package brain

import "time"

// A Standing is how far an order has come.
type Standing uint8

// The standings. Every order ends in one of the last three, or goes on for ever.
const (
	Waiting   Standing = iota // the car is disarmed, or its reflexes hold it
	Underway                  // being carried out
	Reached                   // the car is there, and stands
	GivenUp                   // the car stands; Mission.Why says why
	Cancelled                 // another order came
)

var standingNames = [...]string{"waiting", "under way", "reached", "given up", "cancelled"}

// String returns the standing as status prints it.
func (s Standing) String() string {
	if int(s) < len(standingNames) {
		return standingNames[s]
	}
	return "unknown"
}

// Over reports whether the order has ended.
func (s Standing) Over() bool { return s >= Reached }

// An Excuse is why an order was given up.
type Excuse uint8

// The excuses.
const (
	NoExcuse   Excuse = iota
	NoNearer          // no way nearer to the goal was found for so long
	NoLine            // there was no line for so long
	NothingNew        // there is nothing left to explore
	NoWay             // the map shows no way to the goal
	Barred            // something stands on the line
	LineEnds          // no line goes on from there
	OverEdge          // the goal lies beyond an edge that the car has met
	HemmedIn          // edges let it go neither on nor back
	CarriedOff        // somebody has lifted the car
)

var excuses = [...]string{
	"",
	"no nearer to it for two minutes and more: something is in the way, or it lies where the car cannot go",
	"no line under the floor sensors for 30 s",
	"nothing is left to explore that the car can reach",
	"no way leads to it: the car has looked for one, and everything around is shut",
	"something has stood on the line for 30 s, and a car that looks for edges does not leave its line: take it away and order line again",
	"the line ends here, or an edge is beside it: a car that looks for edges does not leave its line to search for another; put it on one and order line again",
	"it lies beyond an edge of the floor that the car has met; where a way leads round the edge, order a place on it first",
	"hemmed in: an edge that it met, or what stands there, shuts the way on, and the floor behind it has not carried it: disarm it, put it where there is floor all round, arm it and order again",
	"it was lifted, and its place is not known: where it is armed is its new start",
}

// String returns the excuse in words, empty for none.
func (e Excuse) String() string {
	if int(e) < len(excuses) {
		return excuses[e]
	}
	return "unknown"
}

// A Mission is an order and how far it has come.
type Mission struct {
	Order    Order
	Number   uint64 // orders given since the brain began; 0: it does what its parameters say
	Standing Standing
	Why      Excuse        // GivenUp only
	Taken    time.Duration // instant of the order, on the body's clock
	Ended    time.Duration // instant of its end, 0 before
	Driving  time.Duration // time for which the car was free to carry it out
	Way      float64       // m driven meanwhile
	Detours  uint64        // places left meanwhile because the car got nowhere there
	Left     float64       // m to the goal as the crow flies, also behind the end; DoGoal and DoHome only
	Off      float64       // m, how far from the truth Left may be: one standard deviation, see Fix
}

// Aimed reports whether the order leads to a point.
func (e *Mission) Aimed() bool { return e.Order.Do == DoGoal || e.Order.Do == DoHome }

// missions carry out orders, one at a time. Only the tick touches them.
type missions struct {
	now, last Mission // last is the one before, with how it ended
	origin    wishList
	since     float64 // s of driving since there was a line
	began     float64 // m driven before the order
}

// A wishList is the part of the parameters that an order replaces.
type wishList struct{ line, beacon, explore bool }

// lineWait is for how long an order that follows a line lasts without one, in s of driving.
const lineWait = 30

// begin makes the parameters' own wishes the first mission.
func (e *missions) begin(p *Params) {
	e.origin = wishList{line: p.FollowLine, beacon: p.SeekGoal, explore: p.Effort.On()}
}

// take begins an order; the one before is cancelled unless it had ended.
func (e *missions) take(o Order, now time.Duration, way float64) {
	e.last = e.now
	if !e.last.Standing.Over() {
		e.last.Standing, e.last.Ended = Cancelled, now
	}
	e.now = Mission{Order: o, Number: e.last.Number + 1, Taken: now}
	e.since, e.began = 0, way
}

// wishes returns what the brain shall do now.
func (e *missions) wishes() wishList {
	switch e.now.Order.Do {
	case DoStart:
		return e.origin
	case DoExplore:
		return wishList{explore: true}
	case DoLine:
		return wishList{line: true}
	}
	return wishList{explore: e.origin.explore}
}

// holds reports whether the car shall stand: it was told to, or has ended what it was
// told.
func (e *missions) holds() bool {
	return e.now.Order.Do == DoHold || e.now.Order.Do == DoManual || e.now.Standing.Over()
}

// A leg tells the missions how one tick stands.
type leg struct {
	now     time.Duration
	dt      float64 // s
	driving bool    // nothing keeps the car from driving
	way     float64 // m driven since the start
	left    float64 // m to the goal, of an order that leads to a point
	near    float64 // m, within which the car is there
	off     float64 // m, its uncertainty
	line    bool    // a line is under the sensors
	barred  bool    // something has stood on it for 30 s of driving
	ended   bool    // it ends there
	why     Excuse  // the goal or the exploring is hopeless: NoWay, NoNearer, NothingNew, OverEdge, HemmedIn
}

// tell says how far it is to the goal, and reports whether the car is there. Behind the
// end it goes on: the car rolls until it stands.
func (e *Mission) tell(l *leg) (there bool) {
	if !e.Aimed() {
		return false
	}
	e.Left, e.Off = l.left, l.off
	return l.left <= l.near
}

// update judges how far the order has come.
func (e *missions) update(l *leg) {
	w := &e.now
	there := w.tell(l)
	if w.Standing.Over() {
		return
	}
	w.Way = l.way - e.began
	w.Standing = Waiting
	if !l.driving {
		return
	}
	if there {
		e.end(Reached, NoExcuse, l.now)
		return
	}
	w.Standing = Underway
	w.Driving += time.Duration(l.dt * float64(time.Second))
	e.since += l.dt
	switch {
	case l.why != NoExcuse && (w.Aimed() || w.Order.Do == DoExplore):
		e.end(GivenUp, l.why, l.now)
	case l.barred:
		e.leaves(Barred, l.now)
	case l.ended:
		e.leaves(LineEnds, l.now)
	case w.Order.Do == DoLine && l.line:
		e.since = 0
	case w.Order.Do == DoLine && e.since > lineWait:
		e.end(GivenUp, NoLine, l.now)
	}
}

// leaves gives the line up: the order, or, where the start asked for more than a line, that
// wish alone. The mission says why.
func (e *missions) leaves(why Excuse, now time.Duration) {
	if e.now.Order.Do == DoStart && (e.origin.explore || e.origin.beacon) {
		e.origin.line, e.now.Why = false, why
		return
	}
	e.end(GivenUp, why, now)
}

// end closes the order. Whoever knows better than update may give an order up, with a
// reason.
func (e *missions) end(s Standing, why Excuse, now time.Duration) {
	e.now.Standing, e.now.Why, e.now.Ended = s, why, now
}
