package brain

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// line follows a dark line on the floor by the three sensors of the bar (B.6).
type line struct {
	offset     float64  // e in [-1, 1], positive when the line is to the left
	confidence float64  // 0..1
	following  bool     // a line is or was just seen and the task is to follow it
	found      bool     // a line was seen at least once
	lost       float64  // s since it is searched for
	gap        float64  // m driven since it was last seen
	met        float64  // m driven since it was met again behind a gap
	left       bool     // it went out to the side of the bar, not under it
	forget     bool     // lost for so long that its memory shall fade
	course     Course   // where it runs, or should
	crossing   Crossing // of a gap, where there may be edges
	detour     Detour   // round what stands on it
	corner     Corner   // where it may turn to
	blind      bool     // the floor sensors hang: the car stands until they tell of a line again

	bearing float32 // rad, where the heading is pulled
	weight  float32 // 0..1
}

const (
	lineGain    = 40 * deg // bearing of a line at offset 1
	lineSearch  = 35 * deg // bearing while it is searched for: full lock, and near enough for the peak to follow
	lineFaint   = 0.2      // confidence with which a line is met: the floor's noise on three sensors reaches 0.1
	lineSlow    = 0.1      // s searched for before the car slows down
	lineForget  = 6.0      // s searched for before the memory is erased
	lineBridge  = 0.22     // m driven across without a search: a gap of 0.2 m, and what odometry and tape differ
	lineBegins  = 0.008    // m on which a line comes under the bar that begins before it: a sensor's spot, and its noise
	lineDash    = 0.20     // m behind a gap on which it may be a dash: its end is a gap's, not a corner
	lineAside   = 0.75     // offset from which a line that vanishes has been left, not ended,
	lineOut     = 0.025    // m: if its course agrees
	lineAbreast = 0.06     // m beyond a gap within which a line is searched for on one side of its course before the other,
	lineAslant  = 0.7      // m to that side per m
	lineAcross  = 2.0      // m to the other side per m
	lineCrawl   = 0.05     // m/s, the least to which curve and search slow the car down: less and it stands
)

// update reads the three floor sensors while the car drives at a speed in m/s, turning at a yaw rate in rad/s.
func (l *line) update(st *robot.State, p *Params, now time.Duration, speed, yaw float64) {
	dt := p.Period.Seconds()
	offset := l.look(st, p, now, float64(speed*dt))
	if l.found {
		l.course.move(float64(speed*dt), float64(yaw*dt))
	}
	if l.confidence > 0 && !l.crossing.Back {
		l.offset = offset
		l.meets(math.Abs(float64(speed * dt)))
		l.course.see(sight{l.offset, l.confidence == 1, l.begins() || l.cut()}, float64(speed*dt), l.gap)
		l.lost, l.gap, l.found = 0, 0, true
		l.corner.meets(math.Abs(float64(speed * dt)))
		l.left = math.Abs(l.offset) >= lineAside && math.Abs(l.course.Aside) >= lineOut && l.crossing.Vain == 0
	} else if l.blind { // it is not searched for meanwhile
		l.gap += math.Abs(float64(speed * dt))
	} else {
		l.turns(p.Safety.Cliff.Enabled)
		l.loses(float64(speed*dt), dt, p.Safety.Cliff.Enabled)
	}
	if l.detour.Off { // the next line that is met counts as the first
		l.begin()
	}
	if l.forget = l.lost > lineForget; l.forget {
		l.left, l.course, l.corner = false, Course{}, Corner{}
	}
	l.following = p.FollowLine && l.found && !l.forget
	l.aim(p)
}

// look reads the three floor sensors: darkness of each between its own light and dark references, offset from their
// difference, confidence from the sum, way m farther on. Where cliffs are detected nothing is no line.
func (l *line) look(st *robot.State, p *Params, now time.Duration, way float64) (offset float64) {
	var w [robot.NumFloor]float64
	sum, all := 0.0, !l.blind
	for i := range w {
		r := &st.Floor[i]
		all = all && r.Fresh(now, floorAge) && !(p.Safety.Cliff.Enabled && r.Value <= p.Safety.Cliff.Reference[i])
		light, dark := float64(p.LineLight[i]), float64(p.LineDark[i])
		w[i] = exact.Clip((light-float64(r.Value))/(light-dark), 0, 1)
		sum += w[i]
	}
	l.confidence = exact.Clip((sum-0.15)/0.35, 0, 1)
	if on := l.found && l.gap == 0; !all || !on && l.confidence < lineFaint {
		l.confidence = 0
	}
	if all {
		l.corner.watch(&w, math.Abs(way), l.begins())
	}
	return (w[robot.FloorLeft] - w[robot.FloorRight]) / max(sum, 0.15)
}

// meets takes way m on which a line is seen. One that is met behind a gap begins there; of the
// first one, and of one that was searched for, nobody knows.
func (l *line) meets(way float64) {
	switch {
	case !l.found || l.gap > 0 && !l.bridging():
		l.met = cornerFar
	case l.gap > 0:
		l.met = 0
	default:
		l.met = math.Min(l.met+way, cornerFar)
	}
}

// begins reports whether a line that comes under the bar now begins there.
func (l *line) begins() bool { return l.found && (l.gap > 0 && l.bridging() || l.met < lineBegins) }

// cut reports whether a dash that was last seen to a side ended there, under the outer sensor.
func (l *line) cut() bool { return l.met < lineDash && l.corner.cut(l.offset) }

// begin forgets the line: the next one that is met counts as the first.
func (l *line) begin() {
	l.found, l.lost, l.gap, l.left, l.course, l.crossing, l.corner = false, 0, 0, false, Course{}, Crossing{}, Corner{}
}

// turns tells a line that went out to a side, which is searched for there, from one that ended,
// where the car may leave it. A dash that ends under an outer sensor has ended; one that was met
// a moment ago and was only half seen runs beside the bar.
func (l *line) turns(edges bool) {
	if edges || !l.found || l.gap != 0 || l.lost != 0 {
		return
	}
	switch {
	case l.cut():
		l.left = false
	case l.begins() && math.Abs(l.offset) >= lineAside:
		l.left, l.course.Aside = true, math.Copysign(courseEdge, l.offset)
	}
	if l.met < lineDash && l.corner.Round == 0 {
		return
	}
	if side := l.corner.ends(); side != 0 {
		l.left, l.offset = true, side
	}
}

// loses takes a tick without a line after so many m and s. Where there may be edges it is
// not searched for, and so not forgotten before it has ended.
func (l *line) loses(way, dt float64, edges bool) {
	if edges && l.gap == 0 {
		l.course.Bend = l.crossing.bent(l.course.Bend)
	}
	if l.gap += math.Abs(way); l.crossing.Back {
		l.gap = math.Max(0, l.gap-float64(2*math.Abs(way)))
	}
	if !l.bridging() {
		l.lost += dt
	}
	switch {
	case l.crossing.Ended:
		l.lost = math.Max(l.lost, 2*lineForget)
	case edges:
		l.lost = math.Min(l.lost, lineForget)
	}
}

// aim says where the heading is pulled: to the line, or to where it should be.
func (l *line) aim(p *Params) {
	l.bearing, l.weight = float32(l.offset*lineGain), float32(l.confidence)
	if l.following && (l.confidence == 0 || l.crossing.Back) {
		l.bearing, l.weight = float32(l.expected(p)), 1
	}
	if !p.FollowLine {
		l.weight = 0
	}
}

// bridging reports whether the car drives on as the line went, because it ended
// under the bar: a gap. One that went out to the side was left, and is searched there
// at once.
func (l *line) bridging() bool { return !l.left && l.gap < lineBridge }

// expected is the bearing of a line that is not seen: of its course; beyond a gap's end to
// either side of it in turn, first where it bent to.
func (l *line) expected(p *Params) float64 {
	beyond := l.gap - lineBridge
	switch {
	case l.left:
		return math.Copysign(lineSearch, l.offset)
	case beyond <= 0 || p.Safety.Cliff.Enabled:
		return float64(l.course.offset(0) * lineGain)
	default:
		return float64(l.course.offset(float64(math.Copysign(1, l.course.Bend)*sweep(beyond))) * lineGain)
	}
}

// sweep is how far beside its course a line is searched for, so many m beyond a gap's
// end: a little to one side and then as far as need be to the other, because a line that
// bent away from its course leaves it with the square of the way.
func sweep(beyond float64) float64 {
	return float64(lineAslant*math.Min(beyond, lineAbreast)) - float64(lineAcross*math.Max(0, beyond-lineAbreast))
}

// rounds reports whether the car goes round a corner of the line, to the side where that turned.
func (l *line) rounds() bool { return l.left && l.offset == l.corner.Round }

// leads reports whether the car knows where the line runs: it sees it or crosses a gap.
func (l *line) leads() bool { return l.following && (l.confidence > 0 || l.bridging()) }

// slow is the factor on the speed while the line is searched for, but round a corner: there the
// car knows where it is.
func (l *line) slow() float64 {
	if l.following && l.lost > lineSlow && !l.bridging() && !l.rounds() {
		return 0.5
	}
	return 1
}
