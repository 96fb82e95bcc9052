package stall

// On a line no swing may ask whether the car moves: it would lose the line. In a bend beside
// a wall a range may stay for half a metre what it was, and somebody who walks before the
// beams changes those of a car that is held. So longer ways in vain add up, and one that
// shows in a range takes as much away.
const (
	longWay       = 0.24 // m of a way: a range's noise shows in none
	lineVain      = 0.7  // m in vain that are a contact, where beams look to the sides, too
	lineVainAlone = 1.15 // m, of a car with one beam
)

// press weighs one way along a line.
func (s *Watch) press(r *Look, way float64) {
	s.vain, s.turned = 0, 0
	if s.moved(r, way) > 0 {
		s.held = max(0, s.held-way)
		s.from, s.lost = r.At, 0
		return
	}
	if s.held == 0 {
		s.from, s.lost = s.begun, 0
	}
	s.lost += s.driven
	s.held += way
	if s.held >= lineVainAlone || r.Sides && s.held >= lineVain {
		s.found()
	}
}
