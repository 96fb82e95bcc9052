package line

import (
	"errors"
	"fmt"
	"math"
)

// A Record is a follower as it is kept.
type Record struct {
	Offset   float64 // -1..1, where the line was seen last
	Lost     float64 // s since it is searched for
	Found    bool    // a line was seen at least once
	Gap      float64 // m driven since it was last seen
	Met      float64 // m driven since it was met again behind a gap, up to wayMost
	Left     bool    // it went out to the side of the bar, not under it
	Course   Course
	Crossing Crossing
	Detour   Detour
	Corner   Corner
}

// Save copies the follower into r.
func (l *Follower) Save(r *Record) {
	*r = Record{
		Offset: l.offset, Lost: l.lost, Found: l.found, Gap: l.gap, Met: l.met, Left: l.left,
		Course: l.course, Crossing: l.crossing, Detour: l.detour, Corner: l.corner,
	}
}

// Resume takes over what Save wrote; Check says what it must be. Where the clock did not go
// on, Forget follows.
func (l *Follower) Resume(r *Record) {
	*l = Follower{
		offset: r.Offset, lost: r.Lost, found: r.Found, gap: r.Gap, met: r.Met, left: r.Left,
		course: r.Course, crossing: r.Crossing, detour: r.Detour, corner: r.Corner,
	}
}

// Check returns what in r no follower can have, or nil: numbers by the names that a saved
// brain has for them. Whoever asks adds where it comes from.
func (r *Record) Check() error {
	for _, n := range [...]struct {
		name      string
		value     float64
		low, high float64
	}{
		{"LineOffset", r.Offset, -1, 1},
		{"LineLost", r.Lost, 0, math.MaxFloat64},
		{"LineGap", r.Gap, -math.MaxFloat64, math.MaxFloat64},
		{"LineMet", r.Met, 0, wayMost},
	} {
		if !(n.value >= n.low && n.value <= n.high) { // NaN fails
			return fmt.Errorf("%s is %v, must be within %v..%v", n.name, n.value, n.low, n.high)
		}
	}
	return errors.Join(r.Detour.check(), r.Course.check(), r.Crossing.check(), r.Corner.check())
}
