package safety

import (
	"time"

	"fieldbrain/robot"
)

// An edge counts one floor sensor's new readings.
type edge struct {
	at    time.Duration // instant of the newest reading seen
	read  bool          // whether at holds one
	valid time.Duration // instant of the last reading between 0 and 1
	has   bool          // whether valid holds one
	told  time.Duration // instant of the last reading between 0 and 1, of a frozen sensor too
	dark  int           // readings in a row at or below the reference
	clear int           // readings in a row well above it
	fresh int           // valid readings since the sensor was last stale
}

// A stage is where the manoeuvre away from an edge stands.
type stage uint8

const (
	idle       stage = iota
	braking          // reverse power against the motion
	standing         // at rest, looking whether the floor is back
	retreating       // backing away on the path it came
)

// A cliff is R1: it keeps what the floor sensors said, whether R1 holds an edge
// against forward motion, and the manoeuvre away from it.
type cliff struct {
	sensors [robot.NumFloor]edge
	edge    bool // an edge was seen and has not cleared
	blind   bool // a sensor was stale and not all have reported enough since
	begin   bool // edge or blind began in this tick
	doubt   bool // a sensor read dark, and by now there should be more readings of it
	hasty   bool // the manoeuvre began with that

	stage    stage
	since    time.Duration // instant the stage began
	pulse    float32       // m/s of the reverse pulse, negative
	steering float32       // rad, kept during the manoeuvre: back on the same arc
	retreats int           // how many were begun in this manoeuvre
	limit    int           // how many it may have
	forward  time.Duration // instant of the last forward motion
	moved    bool          // whether forward holds one

	placed   bool  // the trail begins with what people vouch for
	trail    trail // the way back
	floor    carried
	cornered bool // the brain wants to back away where neither goes
	aloft    aloft

	proven float32 // m driven since the car was armed or saw an edge
}

// sense takes the newest floor readings and returns R1's causes. bad counts
// values that no ADC can give. While detection is off it keeps nothing.
func (c *cliff) sense(s *robot.State, z *freezer, p *Params, now time.Duration) (causes Causes, bad uint64) {
	if !p.Cliff.Enabled {
		*c = cliff{}
		return 0, 0
	}
	edges, clear, fresh, stale := false, true, true, false
	c.doubt = false
	for i := range c.sensors {
		e := &c.sensors[i]
		bad += e.read1(s.Floor[i], p.Cliff.Reference[i], p.Cliff.Clear)
		stale = e.expired(&z.floor[i], p, now) || stale
		edges = edges || e.dark >= p.Cliff.TripReads
		c.doubt = c.doubt || e.dark >= p.Cliff.trips(p.Period)
		clear = clear && e.clear >= p.Cliff.ClearReads
		fresh = fresh && e.fresh >= p.Cliff.ClearReads
	}
	wasEdge, wasHeld := c.edge, c.edge || c.blind
	c.edge = edges || (c.edge && (!clear || c.stage != idle))
	c.blind = stale || (c.blind && !fresh)
	c.begins(wasEdge, wasHeld)
	c.lifts(s, p, now)
	return c.causes(), bad
}

// begins notes whether an edge, or a sensor's silence, began in this tick.
func (c *cliff) begins(wasEdge, wasHeld bool) {
	c.begin = c.edge && !wasEdge || (c.edge || c.blind) && !wasHeld
}

// causes returns what R1 holds against motion.
func (c *cliff) causes() (causes Causes) {
	if c.edge {
		c.proven = 0
		causes |= Cliff
	}
	if c.cornered {
		causes |= NoWayBack
	}
	if c.blind {
		causes |= FloorStale
	}
	if c.aloft.lifted {
		causes |= Lifted
	}
	return causes
}

// expired reports whether the sensor's last valid reading is too old, or repeats
// itself for too long; its readings then begin to count anew.
func (e *edge) expired(f *repeat, p *Params, now time.Duration) bool {
	if f.stuck && e.has {
		e.valid = min(e.valid, f.since)
	}
	if e.has && age(now, e.valid, p.Period) <= p.Cliff.Stale {
		return false
	}
	e.fresh, e.clear = 0, 0
	return true
}

// read1 counts one sensor's reading when it is new and possible.
func (e *edge) read1(r robot.Reading, reference, clear float32) (bad uint64) {
	if !r.OK || (e.read && r.At == e.at) {
		return 0
	}
	e.read, e.at = true, r.At
	if !finite(r.Value) || r.Value < 0 || r.Value > 1 {
		return 1
	}
	e.has, e.valid, e.told = true, r.At, r.At
	e.fresh = min(e.fresh+1, countEnd)
	if r.Value <= reference {
		e.dark, e.clear = min(e.dark+1, countEnd), 0
		return 0
	}
	e.dark = 0
	if r.Value > float32(clear*reference) {
		e.clear = min(e.clear+1, countEnd)
	} else {
		e.clear = 0
	}
	return 0
}

// countEnd stops the counters long before they could wrap, and above every
// threshold Validate lets pass.
const countEnd = 1 << 20

// clearNow reports whether every sensor reads floor again.
func (c *cliff) clearNow(p *Params) bool {
	for i := range c.sensors {
		if c.sensors[i].clear < p.Cliff.ClearReads {
			return false
		}
	}
	return true
}

// follow notes a tick's way in the trail.
func (c *cliff) follow(s *robot.State, p *Params) {
	v := min(max(orZero(s.CommandedSpeed), -p.Limits.Speed), p.Limits.Speed)
	if !c.placed {
		c.lifted(p)
	}
	way := float32(v * seconds(p.Period))
	c.trail.drive(way, orZero(s.CommandedSteering))
	c.floor.follow(s, p)
	c.proven = min(c.proven+max(way, 0), p.Cliff.Proven)
}

// lifted forgets where the car has been: people may have carried it elsewhere. Who
// arms it vouches for Vouched metres of floor behind it.
func (c *cliff) lifted(p *Params) {
	c.trail.grant(p.Cliff.Vouched)
	c.floor.forget()
	c.proven, c.placed = 0, true
}

// trips is how many new readings in a row brake the car where one comes a period:
// TripReads of them, which make an edge, or fewer where they would take longer than
// Trip. Then the next ones say whether there is one.
func (q *CliffParams) trips(period time.Duration) int {
	return max(min(q.TripReads, int(q.Trip/period)), 1)
}

// cap is the largest forward speed in m/s: an edge may come any moment, and sooner
// on a table than on a floor where the car has driven far without one. Where it is
// noticed later the car is slower by so much that it stands as far behind it.
func (c *cliff) cap(p *Params) float32 {
	v := p.Cliff.Speed
	if c.proven < p.Cliff.Proven {
		v = p.Cliff.Careful
	}
	if late := time.Duration(p.Cliff.trips(p.Period)) * p.Period; late > noticed {
		v = float32(v*seconds(noticed+stopped)) / seconds(late+stopped)
	}
	return v
}

// Where the readings of an edge take no longer than noticed, as two do at the
// default period, the car stands 10 mm behind it at 0.20 m/s and 5 mm at 0.12 m/s
// (docs/robot.md): the way of 50 ms or less at full speed, of which stopped are the
// pulse's.
const (
	noticed = 10 * time.Millisecond
	stopped = 40 * time.Millisecond
)

// back answers the brain's wish to back away: with its steering while both rear wheels
// stay on floor that has carried the car, else on the trail as far as that goes, else with
// any steering that keeps them there. Without cliff detection the floor is everywhere.
func (c *cliff) back(p *Params, want *robot.Command) (steering float32, allowed bool) {
	c.cornered = false
	switch {
	case want.Speed >= 0 || !p.Cliff.Enabled:
		return want.Steering, true
	case c.floor.behind(want.Steering, p):
		if off := want.Steering - c.trail.steering(); max(off, -off) > strays {
			c.trail = trail{}
		}
		return want.Steering, true
	case c.trail.left() > 0:
		return c.trail.steering(), true
	}
	lock := p.Limits.Steering
	if want.Steering < 0 {
		lock = -lock
	}
	for _, steering := range [3]float32{lock, 0, -lock} { // any way back is better than none
		if c.floor.behind(steering, p) {
			return steering, true
		}
	}
	c.cornered = true
	return want.Steering, false
}

// strays is the difference of steering in rad at which the car leaves its trail.
const strays = 0.1

// homeward is the steering of the manoeuvre: as it was while the car brakes, back
// along the trail afterwards.
func (c *cliff) homeward(speed float32) float32 {
	if c.stage == retreating && speed < 0 {
		return c.trail.steering()
	}
	return c.steering
}

// cancel ends the manoeuvre: something worse than an edge stops the car, and
// it shall not back away by itself when that has ended.
func (c *cliff) cancel() {
	c.stage, c.begin, c.moved, c.hasty, c.cornered = idle, false, false, false, false
}

// move advances the manoeuvre of B.7: reverse power for Brake, a rest, and a
// retreat of Retreat at RetreatShare of the full speed; then, while the edge
// is still under a sensor, further retreats up to Retreats. It returns whether
// the manoeuvre drives the car, and at which speed in m/s, never positive;
// hard says that no ramp applies.
//
// Only forward motion starts it. A stale sensor brakes the car but does not
// send it backwards: a bus that hiccups must not set a standing car in motion.
func (c *cliff) move(p *Params, now time.Duration, v, steering float32) (speed float32, hard, drives bool) {
	if v > 0 {
		c.forward, c.moved = now, true
	}
	c.first(p, now, v, steering)
	c.next(p, now)
	switch c.stage {
	case braking:
		return c.pulse, true, true
	case standing:
		return 0, true, true
	case retreating:
		return -float32(p.Cliff.RetreatShare * p.Limits.Speed), false, true
	}
	return 0, false, false
}

// first begins the manoeuvre, and says what becomes of one that began in doubt: it is
// an edge's like any other, or over.
func (c *cliff) first(p *Params, now time.Duration, v, steering float32) {
	switch {
	case c.hasty && c.edge:
		c.hasty, c.limit = false, p.Cliff.Retreats
	case c.hasty && !c.doubt:
		c.hasty, c.stage = false, idle
	case c.begin && c.moved && age(now, c.forward, 0) <= p.Cliff.Recent:
		c.start(p, now, v, steering)
	case c.doubt && !c.edge && c.stage == idle && v > 0:
		c.start(p, now, v, steering)
		c.hasty = true
	}
}

// next goes on to the manoeuvre's next stage when the present one has lasted.
func (c *cliff) next(p *Params, now time.Duration) {
	elapsed := age(now, c.since, 0)
	switch {
	case c.stage == retreating && c.trail.left() <= 0: // no farther
		c.stage, c.since, c.retreats = standing, now, c.limit
	case c.stage == braking && elapsed >= p.Cliff.Brake,
		c.stage == retreating && elapsed >= p.Cliff.Retreat:
		c.stage, c.since = standing, now
	case c.stage == standing && elapsed >= p.Cliff.Stand:
		again := c.retreats == 0 || !c.clearNow(p)
		c.stage, c.since = idle, now
		if again && c.retreats < c.limit {
			c.stage, c.retreats = retreating, c.retreats+1
		}
	}
}

// start begins the manoeuvre at speed v. The pulse is as strong as the motion:
// with the motors' lag of 0.12 s an equal reverse speed crosses zero after
// 0.12 s ln 2 = 83 ms, which is B.7's 80 ms.
// It goes out with Brake set, which a rolling body takes as reverse power at
// once; see robot.Command.
func (c *cliff) start(p *Params, now time.Duration, v, steering float32) {
	c.steering, c.retreats, c.since = steering, 0, now
	c.limit = 0
	if c.edge {
		c.limit = p.Cliff.Retreats
	}
	c.stage = standing
	if v > 0 {
		c.stage, c.pulse = braking, -v
	}
}
