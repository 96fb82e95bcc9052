package quality

import (
	"errors"
	"fmt"
	"time"
)

// Constants of the governor, in ticks unless said otherwise. B.11 gives the
// shares, the 2000 ticks and the second; docs/decisions/0015 says why the rest.
const (
	latePercent  = 90 // of the budget: a tick that takes longer is late
	quietPercent = 50 // of the budget: a tick that takes less is quiet

	judged = 200 // ticks looked back upon
	alarm  = 3   // late ticks of these that lead down: p99 is above the share
	cold   = 200 // first ticks, which the governor does not judge: caches and pages are cold

	quietTicks   = 2000 // before a climb, when every tick is quiet
	maxDoublings = 5    // of the wait, one per climb that failed
	lasting      = 4    // a climb that lasts so many waits has not failed

	fairCredit  = 1    // of a tick that is neither late nor quiet
	quietCredit = 4    // of a quiet one
	lateCredit  = -800 // of a late one: a second's worth of quiet ones
)

// A Heat says how close the machine is to being slowed down by its temperature.
type Heat uint8

// The heats, from best to worst.
const (
	Cool Heat = iota
	Warm      // within a few degrees of the limit
	Hot       // at the limit
)

// String returns the heat's name as the log prints it.
func (h Heat) String() string {
	switch h {
	case Cool:
		return "cool"
	case Warm:
		return "warm"
	case Hot:
		return "hot"
	}
	return "unknown"
}

// Surroundings ask for less work for other reasons than a tick's duration.
type Surroundings struct {
	Heat   Heat
	Saving bool // the machine is in a mode that saves power
	Slowed bool // processor or graphics card runs slower than it could, although it is busy
	Tight  bool // the graphics card's memory is nearly used up
}

// rung returns the best rung that the surroundings allow, and why it is not the
// first.
func (s Surroundings) rung() (int, Reason) {
	switch {
	case s.Heat >= Hot:
		return lastRung, BecauseHot
	case s.Heat == Warm:
		return balancedRung, BecauseHot
	case s.Slowed:
		return balancedRung, BecauseSlowed
	case s.Saving:
		return balancedRung, BecauseSaving
	case s.Tight:
		return balancedRung, BecauseTight
	}
	return bestRung, BecauseNothing
}

// A Reason is why the rung is not the best one that is allowed.
type Reason uint8

// The reasons.
const (
	BecauseNothing Reason = iota
	BecauseBusy           // ticks took too long
	BecauseHot            // the machine is warm or hot
	BecauseSaving         // the machine saves power
	BecauseSlowed         // processor or card hold themselves back
	BecauseTight          // the card's memory is nearly used up
	BecauseAsked          // somebody had chosen a lower one, and it has not climbed yet
)

// String returns the reason as status and log print it.
func (r Reason) String() string {
	switch r {
	case BecauseNothing:
		return "the best that is allowed"
	case BecauseBusy:
		return "ticks took too long"
	case BecauseHot:
		return "the machine was hot"
	case BecauseSaving:
		return "the machine saved power"
	case BecauseSlowed:
		return "the machine held itself back"
	case BecauseTight:
		return "the card's memory was nearly used up"
	case BecauseAsked:
		return "a lower one was set: it waits to climb"
	}
	return "unknown"
}

// A Governor chooses the rung of the next tick from the durations of the last
// ones, the temperature, the power mode and what the graphics card tells of itself. It is a
// plain machine without clock or randomness: equal loads give equal rungs.
//
// Down: at once, one rung per decision, when the third tick of the last 200 is
// late; a tick longer than the period counts twice. Every rung is judged by
// ticks of its own. Heat and power mode lead down one rung a second. Up: one
// rung after 2000 quiet ticks, or four times as many that only are not late. A
// climb that does not last doubles that wait, up to 32 times; one that does
// makes it 2000 again.
type Governor struct {
	period      time.Duration
	late, quiet time.Duration // a tick that takes longer, one that takes less
	best, worst int           // rungs it may choose from

	rung    int
	why     Reason
	over    bool // the worst rung is not enough
	calm    int  // ticks since it was not
	changes uint64

	seen      uint64 // ticks since the start
	age       int    // ticks since the last change
	ring      [judged]uint8
	at        int // next place in the ring
	points    int // sum of the ring
	credit    int // towards the next climb
	doublings int // of the wait
	climbed   bool
}

// New returns a governor on the best rung that a quality allows, one of Names.
// The budget is the longest time a tick should take, at most the period; 0 is
// half the period, which keeps sensor to motor under 10 ms.
func New(period, budget time.Duration, quality string) (Governor, error) {
	best, worst, err := rungsOf(quality)
	if budget < 0 || budget > period {
		err = errors.Join(err, fmt.Errorf("budget %v: choose 0 .. %v, the period", budget, period))
	}
	if budget == 0 {
		budget = period / 2
	}
	return Governor{
		period: period, late: budget * latePercent / 100, quiet: budget * quietPercent / 100,
		best: best, worst: worst, rung: best,
	}, err
}

// A Choice is the rung in force and how it came about.
type Choice struct {
	Rung    int    // 0 is the best
	Best    int    // the best one the configured quality allows
	Why     Reason // it is not Best
	Over    bool   // ticks take too long, or did within 2000 ticks, on the worst rung allowed
	Changes uint64 // since the start
}

// Choice returns the rung of the next tick and why.
func (g *Governor) Choice() Choice {
	why := g.why
	if why == BecauseNothing && g.rung > g.best {
		why = BecauseAsked
	}
	return Choice{Rung: g.rung, Best: g.best, Why: why, Over: g.over, Changes: g.changes}
}

// Bound makes it choose from the rungs of another quality, by its index in Names; an index
// that is none is Auto. A rung that is none of them is left at once. It does not allocate.
func (g *Governor) Bound(quality int) {
	best, worst := span(quality)
	g.best, g.worst = best, worst
	if rung := min(max(g.rung, best), worst); rung != g.rung || best == worst {
		g.change(rung, BecauseNothing)
	}
}

// Update takes one tick: how long it took, and how the machine is. It does not allocate.
func (g *Governor) Update(busy time.Duration, s Surroundings) {
	g.seen++
	if g.seen <= cold {
		return
	}
	g.age++
	g.weigh(busy)
	g.despair()
	if g.best == g.worst {
		return
	}
	bound, why := s.rung()
	best := min(max(g.best, bound), g.worst)
	if g.rung <= best {
		g.credit = 0 // there is nowhere to climb
	}
	switch {
	case g.points >= alarm && g.rung < g.worst:
		g.judge()
		g.change(g.rung+1, BecauseBusy)
	case g.rung < best && time.Duration(g.age)*g.period >= time.Second:
		g.change(g.rung+1, why)
	case g.rung > best && g.credit >= g.wait():
		g.climb(best, why)
	}
}

// weigh enters a tick's duration.
func (g *Governor) weigh(busy time.Duration) {
	points, credit := 0, fairCredit
	switch {
	case busy > g.period:
		points, credit = 2, lateCredit
	case busy > g.late:
		points, credit = 1, lateCredit
	case busy < g.quiet:
		credit = quietCredit
	}
	g.points += points - int(g.ring[g.at])
	g.ring[g.at] = uint8(points)
	g.at = (g.at + 1) % judged
	g.credit = min(max(g.credit+credit, 0), g.wait())
}

// despair says that the worst rung is not enough, from the alarm until 2000 ticks
// have passed without one.
func (g *Governor) despair() {
	g.calm++
	if g.rung == g.worst && g.points >= alarm {
		g.over, g.calm = true, 0
	}
	g.over = g.over && g.calm < quietTicks
}

// wait is the credit a climb needs.
func (g *Governor) wait() int { return quietTicks * quietCredit << g.doublings }

// judge looks at the climb that a descent ends, if one does.
func (g *Governor) judge() {
	lasted := g.age >= lasting*quietTicks<<g.doublings
	switch {
	case lasted:
		g.doublings = 0
	case g.climbed:
		g.doublings = min(g.doublings+1, maxDoublings)
	}
}

// climb goes up one rung. What held a whole wait after the last climb did not
// fail: the next ones wait as at first.
func (g *Governor) climb(best int, bound Reason) {
	if g.climbed {
		g.doublings = 0
	}
	why := g.why
	switch g.rung - 1 {
	case g.best:
		why = BecauseNothing
	case best:
		why = bound
	}
	g.change(g.rung-1, why)
	g.climbed = true
}

// change goes to a rung, whose ticks are then judged afresh.
func (g *Governor) change(rung int, why Reason) {
	g.rung, g.why, g.climbed = rung, why, false
	g.changes++
	g.age, g.calm, g.credit, g.points, g.over = 0, 0, 0, 0, false
	g.ring = [judged]uint8{}
}
