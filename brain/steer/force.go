package steer

// Contacts that were believed, and what stood there before, can leave a car in ground that
// no search finds a way out of: it would stand until all of that has faded
// (docs/decisions/0054).
const (
	forceAfter = 1.5  // s of searches in vain before it goes whatever the ground says
	forceWay   = 0.06 // m, at the least speed
	forceLater = 3.0  // s of strokes of which none got on
	forceTrail = 3    // places of a trail worth following
)

// refused reports whether a car with one beam has stood for long although its searches found
// strokes. One that dares more finds a way ahead that the reflex before the nose refuses, and
// the next search begins as if it had got on (docs/decisions/0080).
func (t *turn) refused(s *Situation) bool { return !s.Sides && t.stands > forceLater }

// force begins a short stroke back whatever the ground says, where searches have found
// nothing for long, or nothing that got on: on the way the car came, and then each time
// another. Forwards searches dare by themselves, unless a reflex or somebody before the car
// refuses it. Over a floor that ends somewhere nothing is forced.
func (l *Law) force(s *Situation) bool {
	t := &l.turn
	if t.slow < forceAfter && !t.refused(s) || s.Carried != nil {
		return false
	}
	switch {
	case t.forced > moves/2:
		t.forced--
	case l.trail.n > forceTrail:
		t.forced = retrace
	default:
		t.forced = retrace - 1
	}
	t.move, t.left, t.stage, t.slow, t.recoils, t.forces, t.vain = t.forced, forceWay, swing, 0, false, true, 0
	return true
}
