package line

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

const deg = math.Pi / 180

// A Follower follows a dark line on the floor by the three sensors of the bar (B.6). The zero
// Follower has met none.
type Follower struct {
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
	gain        = 40 * deg // bearing of a line at offset 1
	search      = 35 * deg // bearing while it is searched for: full lock, and near enough for the peak to follow
	faint       = 0.2      // confidence with which a line is met: the floor's noise on three sensors reaches 0.1
	slowAfter   = 0.1      // s searched for before the car slows down
	forgetAfter = 6.0      // s searched for before the memory is erased
	bridge      = 0.22     // m driven across without a search: a gap of 0.2 m, and what odometry and tape differ
	beginsOn    = 0.008    // m on which a line comes under the bar that begins before it: a sensor's spot, and its noise
	dashLong    = 0.20     // m behind a gap on which it may be a dash: its end is a gap's, not a corner
	leftFrom    = 0.75     // offset from which a line that vanishes has been left, not ended,
	leftBy      = 0.025    // m: if its course agrees
	abreast     = 0.06     // m beyond a gap within which a line is searched for on one side of its course before the other,
	aslant      = 0.7      // m to that side per m
	across      = 2.0      // m to the other side per m
)

// A Look is what a tick tells of the floor under the bar.
type Look struct {
	Floor       [robot.NumFloor]float32 // newest readings, ADC full scale = 1
	Light, Dark [robot.NumFloor]float32 // what they are beside a line and on it
	Ledge       [robot.NumFloor]float32 // and, where the car looks for edges, up to which there is no floor
	Fresh       bool                    // all of them are new enough to count
	Frozen      bool                    // they repeat themselves
	Edges       bool                    // the car looks for edges
	Wanted      bool                    // a line is to be followed

	Speed, Yaw float64 // m/s and rad/s of the rear axle, dead reckoning
	Dt         float64 // s
}

// Update takes one tick.
func (l *Follower) Update(k *Look) {
	l.blind = l.following && !k.Edges && k.Frozen
	speed, yaw, dt := k.Speed, k.Yaw, k.Dt
	offset := l.look(k, float64(speed*dt))
	if l.found {
		l.course.move(float64(speed*dt), float64(yaw*dt))
	}
	if l.confidence > 0 && !l.crossing.Back {
		l.offset = offset
		l.meets(math.Abs(float64(speed * dt)))
		l.course.see(sight{l.offset, l.confidence == 1, l.begins() || l.cut()}, float64(speed*dt), l.gap)
		l.lost, l.gap, l.found = 0, 0, true
		l.corner.meets(math.Abs(float64(speed * dt)))
		l.left = math.Abs(l.offset) >= leftFrom && math.Abs(l.course.Aside) >= leftBy && l.crossing.Vain == 0
	} else if l.blind { // it is not searched for meanwhile
		l.gap += math.Abs(float64(speed * dt))
	} else {
		l.turns(k.Edges)
		l.loses(float64(speed*dt), dt, k.Edges)
	}
	if l.detour.Off { // the next line that is met counts as the first
		l.begin()
	}
	if l.forget = l.lost > forgetAfter; l.forget {
		l.left, l.course, l.corner = false, Course{}, Corner{}
	}
	l.following = k.Wanted && l.found && !l.forget
	l.aim(k)
}

// look reads the three floor sensors: darkness of each between its own light and dark references, offset from their
// difference, confidence from the sum, way m farther on. Where cliffs are detected nothing is no line.
func (l *Follower) look(k *Look, way float64) (offset float64) {
	var w [robot.NumFloor]float64
	sum, all := 0.0, !l.blind && k.Fresh
	for i, v := range k.Floor {
		all = all && !(k.Edges && v <= k.Ledge[i])
		light, dark := float64(k.Light[i]), float64(k.Dark[i])
		w[i] = exact.Clip((light-float64(v))/(light-dark), 0, 1)
		sum += w[i]
	}
	l.confidence = exact.Clip((sum-0.15)/0.35, 0, 1)
	if on := l.found && l.gap == 0; !all || !on && l.confidence < faint {
		l.confidence = 0
	}
	if all {
		l.corner.watch(&w, math.Abs(way), l.begins())
	}
	return (w[robot.FloorLeft] - w[robot.FloorRight]) / max(sum, 0.15)
}

// meets takes way m on which a line is seen. One that is met behind a gap begins there; of the
// first one, and of one that was searched for, nobody knows.
func (l *Follower) meets(way float64) {
	switch {
	case !l.found || l.gap > 0 && !l.bridging():
		l.met = wayMost
	case l.gap > 0:
		l.met = 0
	default:
		l.met = math.Min(l.met+way, wayMost)
	}
}

// begins reports whether a line that comes under the bar now begins there.
func (l *Follower) begins() bool { return l.found && (l.gap > 0 && l.bridging() || l.met < beginsOn) }

// cut reports whether a dash that was last seen to a side ended there, under the outer sensor.
func (l *Follower) cut() bool { return l.met < dashLong && l.corner.cut(l.offset) }

// begin forgets the line: the next one that is met counts as the first.
func (l *Follower) begin() {
	l.found, l.lost, l.gap, l.left, l.course, l.crossing, l.corner = false, 0, 0, false, Course{}, Crossing{}, Corner{}
}

// turns tells a line that went out to a side, which is searched for there, from one that ended,
// where the car may leave it. A dash that ends under an outer sensor has ended; one that was met
// a moment ago and was only half seen runs beside the bar.
func (l *Follower) turns(edges bool) {
	if edges || !l.found || l.gap != 0 || l.lost != 0 {
		return
	}
	switch {
	case l.cut():
		l.left = false
	case l.begins() && math.Abs(l.offset) >= leftFrom:
		l.left, l.course.Aside = true, math.Copysign(courseEdge, l.offset)
	}
	if l.met < dashLong && l.corner.Round == 0 {
		return
	}
	if side := l.corner.ends(); side != 0 {
		l.left, l.offset = true, side
	}
}

// loses takes a tick without a line after so many m and s. Where there may be edges it is
// not searched for, and so not forgotten before it has ended.
func (l *Follower) loses(way, dt float64, edges bool) {
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
		l.lost = math.Max(l.lost, 2*forgetAfter)
	case edges:
		l.lost = math.Min(l.lost, forgetAfter)
	}
}

// aim says where the heading is pulled: to the line, or to where it should be.
func (l *Follower) aim(k *Look) {
	l.bearing, l.weight = float32(l.offset*gain), float32(l.confidence)
	if l.following && (l.confidence == 0 || l.crossing.Back) {
		l.bearing, l.weight = float32(l.expected(k.Edges)), 1
	}
	if !k.Wanted {
		l.weight = 0
	}
}

// bridging reports whether the car drives on as the line went, because it ended
// under the bar: a gap. One that went out to the side was left, and is searched there
// at once.
func (l *Follower) bridging() bool { return !l.left && l.gap < bridge }

// expected is the bearing of a line that is not seen: of its course; beyond a gap's end to
// either side of it in turn, first where it bent to.
func (l *Follower) expected(edges bool) float64 {
	beyond := l.gap - bridge
	switch {
	case l.left:
		return math.Copysign(search, l.offset)
	case beyond <= 0 || edges:
		return float64(l.course.offset(0) * gain)
	default:
		return float64(l.course.offset(float64(math.Copysign(1, l.course.Bend)*sweep(beyond))) * gain)
	}
}

// sweep is how far beside its course a line is searched for, so many m beyond a gap's
// end: a little to one side and then as far as need be to the other, because a line that
// bent away from its course leaves it with the square of the way.
func sweep(beyond float64) float64 {
	return float64(aslant*math.Min(beyond, abreast)) - float64(across*math.Max(0, beyond-abreast))
}

// rounds reports whether the car goes round a corner of the line, to the side where that turned.
func (l *Follower) rounds() bool { return l.left && l.offset == l.corner.Round }

// Leads reports whether the car knows where the line runs: it sees it or crosses a gap.
func (l *Follower) Leads() bool { return l.following && (l.confidence > 0 || l.bridging()) }

// Slow is the factor on the speed while the line is searched for, but round a corner: there the
// car knows where it is.
func (l *Follower) Slow() float64 {
	if l.following && l.lost > slowAfter && !l.bridging() && !l.rounds() {
		return 0.5
	}
	return 1
}

// Following reports whether the car follows a line: it sees one, or did a moment ago.
func (l *Follower) Following() bool { return l.following }

// Blind reports whether the floor sensors hang while the car follows a line, without which it
// stands until they tell of one again.
func (l *Follower) Blind() bool { return l.blind }

// Forgotten reports whether it is lost for so long that its memory shall fade.
func (l *Follower) Forgotten() bool { return l.forget }

// Offset is where the line was seen last between the bar's ends, -1..1, positive to the left.
func (l *Follower) Offset() float64 { return l.offset }

// Confidence is how sure it is that a line is under the bar, 0..1; at 0 none is seen.
func (l *Follower) Confidence() float64 { return l.confidence }

// Bearing is where that is, in rad from the heading.
func (l *Follower) Bearing() float64 { return float64(l.offset * gain) }

// Pull is where the heading is pulled, in rad from the heading, and how much, 0..1.
func (l *Follower) Pull() (bearing, weight float32) { return l.bearing, l.weight }

// Bend is the line's curvature in 1/m, positive to the left.
func (l *Follower) Bend() float64 { return l.course.Bend }
