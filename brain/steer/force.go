package steer

// Contacts that were believed, and what stood there before, can leave a car in ground that
// no search finds a way out of: it would stand until all of that has faded
// (docs/decisions/0054).
const (
	forceAfter = 1.5  // s of searches in vain before it goes whatever the ground says
	forceWay   = 0.06 // m, at the least speed
	forceTrail = 3    // places of a trail worth following
)

// force begins a short stroke whatever the ground says, where searches have found nothing
// for long: back on the way the car came, and then each time another move, round and round,
// forwards only where no reflex refuses it. Over a floor that ends somewhere it does not.
func (l *Law) force(s *Situation) bool {
	t := &l.turn
	if t.slow < forceAfter || s.Carried != nil {
		return false
	}
	t.forced = l.nextForced(s)
	t.move, t.left, t.stage, t.slow, t.recoils, t.forces = t.forced, forceWay, swing, 0, false, true
	t.vain = 0
	return true
}

// nextForced is the move before the last that was forced: the way it came, backwards,
// forwards.
func (l *Law) nextForced(s *Situation) move {
	m := l.turn.forced
	for range moves + 1 {
		m = (m + moves) % (moves + 1)
		switch {
		case m == retrace && l.trail.n <= forceTrail:
		case m.gear() < 0 || !s.Held:
			return m
		}
	}
	return retrace
}
