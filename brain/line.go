package brain

import (
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
)

// line follows a dark line on the floor by the three sensors of the bar (B.6).
type line struct {
	offset     float64 // e in [-1, 1], positive when the line is to the left
	confidence float64 // 0..1
	following  bool    // a line is or was just seen and the task is to follow it
	found      bool    // a line was seen at least once
	lost       float64 // s since it is searched for
	gap        float64 // m driven since it was last seen
	curve      float64 // rad, mean steering while it was seen: the line's curvature
	forget     bool    // lost for so long that its memory shall fade
	detour     Detour  // round what stands on it

	bearing float32 // rad, where the heading is pulled
	weight  float32 // 0..1
}

const (
	lineGain   = 40 * deg // bearing of a line at offset 1
	lineSearch = 35 * deg // bearing while it is searched for: full lock, and near enough for the peak to follow
	lineSlow   = 0.1      // s searched for before the car slows down
	lineForget = 4.0      // s searched for before the memory is erased
	lineBridge = 0.2      // m: a gap as long is driven across
	lineAside  = 0.75     // offset from which a line that vanishes has been left, not ended
	lineWeave  = 0.05     // m searched on one side of a gap's end before the other
	lineCrawl  = 0.05     // m/s, the least to which curve and search slow the car down: less and it stands
	lineMean   = 500 * time.Millisecond
)

// update reads the three floor sensors while the car drives at a speed in m/s: darkness of each between its own light
// and dark references, offset from their difference, confidence from the sum.
func (l *line) update(st *robot.State, p *Params, now time.Duration, speed float64) {
	dt := p.Period.Seconds()
	var w [robot.NumFloor]float64
	sum, all := 0.0, true
	for i := range w {
		r := &st.Floor[i]
		all = all && r.Fresh(now, floorAge)
		light, dark := float64(p.LineLight[i]), float64(p.LineDark[i])
		w[i] = clip((light-float64(r.Value))/(light-dark), 0, 1)
		sum += w[i]
	}
	l.confidence = clip((sum-0.15)/0.35, 0, 1)
	if !all {
		l.confidence = 0
	}
	if l.confidence > 0 {
		l.offset = (w[robot.FloorLeft] - w[robot.FloorRight]) / sum
		l.lost, l.gap, l.found = 0, 0, true
		l.curve += float64((float64(st.Steering) - l.curve) * field.Alpha(p.Period, lineMean))
	} else {
		if l.gap += float64(speed * dt); !l.bridging() {
			l.lost += dt
		}
	}
	if l.detour.Off { // the next line that is met counts as the first
		l.found, l.lost, l.gap, l.curve = false, 0, 0, 0
	}
	l.forget = l.lost > lineForget
	l.following = p.FollowLine && l.found && l.lost <= lineForget
	l.bearing, l.weight = float32(l.offset*lineGain), float32(l.confidence)
	switch {
	case !l.following || l.confidence > 0:
	case l.bridging():
		l.bearing, l.weight = float32(l.curve/2), 1 // the line may straighten in the gap, or bend on
	default:
		l.bearing, l.weight = float32(lineSearch*l.side()), 1
	}
	if !p.FollowLine {
		l.weight = 0
	}
}

// bridging reports whether the car drives on as the line went, because it ended
// under the middle of the bar: a gap. One that went out to the side was left, and is
// searched there at once.
func (l *line) bridging() bool { return math.Abs(l.offset) < lineAside && l.gap < lineBridge }

// side is where a lost line is searched for, +1 left: where it went out, or, if it
// did not go on beyond a gap, where it bent to and then on either side in turn, half
// a weave and whole ones.
func (l *line) side() float64 {
	if math.Abs(l.offset) >= lineAside {
		return math.Copysign(1, l.offset)
	}
	if weave := int(float64(l.gap-lineBridge)/lineWeave) + 1; weave>>1&1 == 1 {
		return -math.Copysign(1, l.curve)
	}
	return math.Copysign(1, l.curve)
}

// slow is the factor on the speed while the line is searched for.
func (l *line) slow() float64 {
	if l.following && l.lost > lineSlow && !l.bridging() {
		return 0.5
	}
	return 1
}
