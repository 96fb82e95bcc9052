package progress

import "math"

// A Quest is what the car is after.
type Quest uint8

// The quests.
const (
	Nothing Quest = iota
	Goal          // a point
	Explore       // what was never seen
)

// A Verdict is why a quest is given up.
type Verdict uint8

// The verdicts.
const (
	GoOn     Verdict = iota
	NoWay            // the map shows no way, wherever the car has looked
	NoNearer         // no way nearer was found for too long
	NoNews           // nothing is left that was never seen
)

// A Look tells the monitor how one tick stands.
type Look struct {
	Quest   Quest
	Dt      float64 // s
	Driving bool    // nothing keeps the car from driving
	X, Y    float64 // m
	Way     float64 // m driven in this tick, either way
	Entered uint64  // places visited for the first time, ever

	Left   float64 // m to the goal along the route, more where it is not known; +Inf for no route
	Far    float64 // m to the goal as the crow flies
	Doubt  float64 // m, one standard deviation of Far: it grows where the place is reckoned
	Shut   bool    // the map shows no way to the goal
	Barren bool    // nothing that was never seen can be reached
	One    bool    // one beam looks ahead, and none to the sides
}

// Advice is what to try next.
type Advice struct {
	Leave   bool // this disc, now
	Disc    Disc
	Search  bool // let the goal wait and look elsewhere
	Verdict Verdict
}

// Patience, in s of driving unless it says otherwise.
const (
	nearer    = 0.10 // m that count as nearer
	stale     = 15.0 // without getting on: a strike
	vainly    = 60.0 // the same where only new places count: the odometry's drift makes some on every lap of a room
	staleWide = 0.5  // m around the car that are left then
	glancing  = 6.0  // for which a goal waits at the first strike of a car with one beam that goes round
	searching = 12.0 // for which a goal waits at the second strike, twice as long at the next
	searchMax = 48.0 // and at most
	doubtful  = 12.0 // since the goal was nearer as the crow flies, after which walls that the map has forgotten count
	despaired = 60.0 // likewise, after which they count for more
	searched  = 6    // new places that end the wait
	shutTime  = 3.0  // without a way before the car looks elsewhere
	shutOnce  = 6.0  // without a way and without news: there is none
	shutLooks = 2    // looks elsewhere after which no way is no way
	hopeless  = 40.0 // without getting nearer, where there is no news
	longest   = 120.0
	lingering = 20.0
	ever      = 180.0
	barren    = 10.0
	idlest    = 45.0
	credit    = 5.0 // that a new place is worth: less often, and it is the odometry that drifts
)

// A Monitor watches one quest after the other.
type Monitor struct {
	orbit orbit
	laps  laps // where it explores
	quest Quest
	time  float64 // s driven
	way   float64 // m

	best    float64 // m, the least that was left
	closest float64 // m, the least as the crow flies
	doubt   float64 // m, that of the least
	since   float64 // s since then
	idle    float64 // s, less credit for every new place
	strike  float64 // s since the last strike, or since the quest got on
	vain    float64 // s since the last strike, or since the goal was nearer as the crow flies
	strikes int
	doubts  bool    // since the quest began, once
	late    bool    // likewise, that the goal had come no nearer for long
	entered uint64  // places at the last look
	wait    float64 // s for which the goal still waits
	span    float64 // s for which it waited last
	found   int     // places entered while the goal waits
	shut    float64 // s without a way
	looks   int     // because there was none
	barren  float64 // s without news
}

// Forget forgets the quest so far.
func (m *Monitor) Forget() { *m = Monitor{best: math.Inf(1), closest: math.Inf(1)} }

// Strikes returns how often this quest got stuck.
func (m *Monitor) Strikes() int { return m.strikes }

// Doubts reports whether what the car knows of the way is in doubt: it got stuck before, or
// its goal has not come nearer for some time. Strikes come late, because the odometry's drift
// makes new places of old ones. A doubt lasts as long as the quest: half way along a detour
// the goal is nearer as the crow flies, and the wall in between is no less a wall.
func (m *Monitor) Doubts() bool { return m.doubts || m.strikes > 0 }

// Despairs reports whether the goal once did not come nearer for so long that the way must
// be a long one.
func (m *Monitor) Despairs() bool { return m.late }

// Update takes one tick and returns what to try next.
func (m *Monitor) Update(l *Look) Advice {
	if l.Quest != m.quest {
		m.Forget()
		m.quest, m.entered = l.Quest, l.Entered
	}
	if l.Quest == Nothing || !l.Driving {
		return Advice{Search: m.wait > 0}
	}
	m.time, m.way = m.time+l.Dt, m.way+l.Way
	m.account(l)
	a := m.struck(l)
	m.shutOut(l)
	a.Search, a.Verdict = m.wait > 0, m.verdict(l)
	return a
}

// account notes what this tick gained.
func (m *Monitor) account(l *Look) {
	m.since, m.idle, m.strike, m.wait = m.since+l.Dt, m.idle+l.Dt, m.strike+l.Dt, math.Max(0, m.wait-l.Dt)
	m.vain += l.Dt
	if l.Entered < m.entered { // counted anew
		m.entered = l.Entered
	}
	if l.Entered > m.entered {
		m.idle, m.strike = math.Max(0, m.idle-float64(credit*float64(l.Entered-m.entered))), 0
		m.found += int(l.Entered - m.entered)
		m.entered = l.Entered
	}
	if l.Quest == Goal && l.Left < m.best-nearer {
		m.best, m.strike = l.Left, 0
	}
	if grown := math.Max(0, l.Doubt-m.doubt); l.Quest == Goal && l.Far < m.closest-nearer-grown {
		m.closest, m.doubt, m.since, m.vain = l.Far, l.Doubt, 0, 0
	}
	m.doubts = m.doubts || l.Quest == Goal && m.vain > doubtful
	m.late = m.late || l.Quest == Goal && m.since > despaired
	if m.found >= searched {
		m.wait = 0
	}
	if l.Barren {
		m.barren += l.Dt
	} else {
		m.barren = math.Max(0, m.barren-float64(2*l.Dt))
	}
}

// struck says which place to leave where the car goes round or does not get on.
func (m *Monitor) struck(l *Look) Advice {
	here := sample{l.X, l.Y, m.time, m.way, l.Entered}
	d, round := m.orbit.watch(here)
	if !round && l.Quest == Explore {
		d, round = m.laps.watch(&here)
	}
	if !round {
		if l.Quest != Goal || m.strike < stale && m.vain < vainly {
			return Advice{}
		}
		d = Disc{l.X, l.Y, staleWide}
	}
	m.strike, m.vain = 0, 0
	m.strikes++
	switch {
	case l.Quest == Explore || m.strikes > 1:
		m.look(searching)
	case round && l.One:
		m.look(glancing)
	}
	return Advice{Leave: true, Disc: d}
}

// look lets the goal wait, at least for so many seconds and longer every time.
func (m *Monitor) look(least float64) {
	m.span = math.Min(math.Max(2*m.span, least), searchMax)
	m.wait, m.found = m.span, 0
	if m.quest == Explore {
		m.wait = searching
	}
}

// shutOut looks elsewhere where there is no way to the goal.
func (m *Monitor) shutOut(l *Look) {
	switch {
	case l.Quest != Goal || m.wait > 0:
		return
	case !l.Shut:
		m.shut = math.Max(0, m.shut-l.Dt)
		return
	}
	if m.shut += l.Dt; m.shut > shutTime && m.looks < shutLooks {
		m.looks++
		m.look(searching)
	}
}

// verdict says whether the quest is over.
func (m *Monitor) verdict(l *Look) Verdict {
	switch {
	case l.Quest == Explore && (m.barren > barren || m.idle > idlest):
		return NoNews
	case l.Quest != Goal:
	case m.shut > shutOnce && (m.barren > shutTime || m.looks >= shutLooks), m.barren > barren && m.since > hopeless:
		return NoWay
	case m.since > longest && m.idle > lingering, m.since > ever:
		return NoNearer
	}
	return GoOn
}
