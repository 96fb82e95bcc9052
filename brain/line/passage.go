package line

import "fieldbrain/brain/ground"

// A Passage is what a tick tells of the way along the line.
type Passage struct {
	Dt     float64     // s
	Speed  float64     // m/s of the rear axle, dead reckoning
	At     ground.Pose // of the rear axle, in the odometry's frame
	Ahead  float64     // m from the rear axle to what stands ahead, +Inf where nothing is heard
	Wanted bool        // a line is to be followed
	Drives bool        // the car may drive
	Holds  bool        // people want it to stand
	Driven bool        // a person drives
	Yields bool        // something comes towards the car
	Stuck  bool        // it touches something
	Edges  bool        // it looks for edges
	Brink  bool        // and a floor sensor sees one
}

// Pass watches whether the line leads on: what stands on it, and, where there may be edges,
// the ways across its gaps. It comes behind Update.
func (l *Follower) Pass(p *Passage) {
	l.detour.watch(&passage{
		dt: p.Dt, wanted: p.Wanted, seen: l.confidence > 0,
		stuck: l.following && p.Stuck, speed: p.Speed, at: p.At, ahead: p.Ahead,
		edges: p.Edges, bend: l.course.Bend,
		follows: l.following && p.Drives && !p.Holds && !p.Driven, yields: p.Yields,
	})
	l.cross(p)
}

// cross watches the ways across gaps of the line, where there may be edges. A car that has
// driven elsewhere since, or that a person drives, begins anew with the next line; one that
// was told to stand goes on from there.
func (l *Follower) cross(p *Passage) {
	if p.Driven || !p.Wanted && !p.Holds {
		l.begin()
	}
	if !p.Edges {
		l.crossing = Crossing{}
		return
	}
	l.crossing.watch(&crossed{
		dt: p.Dt, follows: l.following, drives: p.Drives && !p.Holds,
		seen: l.confidence > 0 && (!l.crossing.Back || l.confidence >= faint), left: l.left,
		brink: p.Brink, speed: p.Speed, bend: l.course.Bend,
	})
}

// Returns reports whether the car comes back to where the line ended, at BackSpeed.
func (l *Follower) Returns() bool { return l.crossing.Back }

// Ended reports whether no way led on from the line's end.
func (l *Follower) Ended() bool { return l.crossing.Ended }

// Barred reports whether something has stood on the line for barredAfter, and the car has not left it.
func (l *Follower) Barred() bool { return l.detour.Stood >= barredAfter }

// Beyond returns where the line may go on behind what the car drives around, in m in the
// odometry's frame, as long as that place draws.
func (l *Follower) Beyond() (x, y float64, draws bool) {
	if l.detour.Draws == 0 {
		return 0, 0, false
	}
	x, y = l.detour.beyond()
	return x, y, true
}

// Again lets a line that has ended count anew: somebody has ordered something.
func (l *Follower) Again() {
	if l.crossing.Ended {
		l.crossing = Crossing{}
	}
}

// Forget forgets the line and what the car drives around: it may stand elsewhere.
func (l *Follower) Forget() {
	l.detour = Detour{}
	l.begin()
}
