package line

// A Record is a follower as it is kept. Each part says by its Check what it must be.
type Record struct {
	Offset   float64 // -1..1, where the line was seen last
	Lost     float64 // s since it is searched for
	Found    bool    // a line was seen at least once
	Gap      float64 // m driven since it was last seen
	Met      float64 // m driven since it was met again behind a gap, up to Far
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

// Resume takes over what Save wrote. Where the clock did not go on, Forget follows.
func (l *Follower) Resume(r *Record) {
	*l = Follower{
		offset: r.Offset, lost: r.Lost, found: r.Found, gap: r.Gap, met: r.Met, left: r.Left,
		course: r.Course, crossing: r.Crossing, detour: r.Detour, corner: r.Corner,
	}
}
