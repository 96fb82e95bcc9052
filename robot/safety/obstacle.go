package safety

import (
	"time"

	"fieldbrain/robot"
)

// A ranger holds what R2 and R3 keep of the front range: the last valid reading
// and two hysteresis bits. An invalid reading changes none of it, so a missing
// echo ages and can never look near.
type ranger struct {
	at    time.Duration // instant of the newest reading seen, valid or not
	read  bool          // whether at holds one
	value float32       // m, last valid range
	valid time.Duration // instant of value
	has   bool          // whether value holds one
	quiet bool          // value is how far nothing was heard
	near  bool          // below Refuse, not yet above Release
	stop  bool          // below the stopping distance, not yet clear of it

	last, slow time.Duration // how long after its instant the newest silence was told; the shorter one of it and the one before
}

// A sonar that ends silence only after some 200 ms tells it as fast as it can, and what
// it told is older than Range.Stale before the next one comes. It has until that one is
// due: an answer of another kind, a ping without one, and 450 ms in any case end it.
const (
	slowSonar = 110 * time.Millisecond // from a silence's instant to its telling; of an echo of 130 ms 106 ms
	slowGap   = 100 * time.Millisecond // from there to the next ping at most
	slowest   = 450 * time.Millisecond // no silence stays fresh for longer
)

// tell notes how long after its instant a reading that is new was told; one that is not
// valid is a ping without an answer.
func (g *ranger) tell(r *robot.Reading) {
	took := time.Duration(0)
	switch {
	case !r.OK:
		g.last = 0
	case g.read && r.At == g.at:
		return
	case r.AtLeast:
		took = max(0, r.ReportedAt-r.At)
	}
	g.last, g.slow = took, min(took, g.last)
}

// fresh returns the age up to which the last valid range is.
func (g *ranger) fresh(stale time.Duration) time.Duration {
	if g.slow < slowSonar {
		return stale
	}
	return max(stale, min(2*g.slow+slowGap, slowest))
}

// sense takes the newest front reading and returns R3's causes. frozen says
// that the sensor has repeated itself since the instant given; then nothing
// after that instant counts. bad is 1 when it refused an impossible value.
//
// Silence (robot.Reading.AtLeast) is a range like any other to R2: nothing nearer
// was heard. Where something was near a moment ago it may be a smooth wall seen
// aslant, and R3 holds until silence reaches Sure.
func (g *ranger) sense(s *robot.State, f *repeat, p *Params, now time.Duration) (c Causes, bad uint64) {
	r := s.Range[robot.Front]
	g.tell(&r)
	if r.OK && (!g.read || r.At != g.at) {
		g.read, g.at = true, r.At
		switch {
		case !finite(r.Value) || r.Value < p.Range.Min || r.Value > p.Range.Max:
			bad = 1
		default:
			g.has, g.value, g.valid, g.quiet = true, r.Value, r.At, r.AtLeast
			g.near = r.Value < p.Range.Refuse || (g.near && r.Value <= p.Range.Release)
		}
	}
	if f.stuck && g.has {
		g.valid = min(g.valid, f.since)
	}
	switch old := g.age(p, now); {
	case old > p.Range.Lost:
		c = RangeLost
	case old > g.fresh(p.Range.Stale), g.quiet && g.value < p.Range.Sure:
		c = RangeStale
	}
	return c, bad
}

// age returns how old the last valid range is.
func (g *ranger) age(p *Params, now time.Duration) time.Duration {
	if !g.has {
		return forever
	}
	return age(now, g.valid, p.Period)
}

// blocks reports whether R2 refuses forward motion at v, the larger of the
// wheels' speed and the wanted one, in m/s. The stopping distance of B.7 is
//
//	d(v) = max(Nearest, v t + v^2/(2a) + Margin)
//
// blocks moves a reading older than t closer by the way that the car may have
// driven since: up to t the formula covers that way.
func (g *ranger) blocks(v float32, p *Params, now time.Duration) bool {
	if !g.has || v <= 0 {
		g.stop = false
		return g.near
	}
	q := p.Range
	d := float32(v*seconds(q.Reaction)) + float32(float32(v*v)/float32(2*q.Deceleration)) + q.Margin
	d = max(d, q.Nearest)
	if g.stop {
		d += q.Hysteresis
	}
	r := g.value
	if late := g.age(p, now) - q.Reaction; late > 0 {
		r -= float32(v * seconds(min(late, q.Lost)))
	}
	g.stop = r < d
	return g.near || g.stop
}
