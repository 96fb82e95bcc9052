package steer

import "fieldbrain/brain/ground"

// A car that only looks around has no reason to squeeze through: the map's cells are as
// coarse as the room that a gap leaves it, and what stands aslant beside it no beam sees any
// more once the body is there (docs/decisions/0059).

// roams reports whether nothing draws the car anywhere in particular, and nobody is about
// whom it might have to make way for.
func (s *Situation) roams() bool {
	if s.AimWeight >= urgent || s.Carried != nil {
		return false
	}
	for i := range s.Echoes {
		if s.Echoes[i].About {
			return false
		}
	}
	return true
}

// lane is how far a way leads over known floor where the body fits in, in m: without its
// margin where a task draws the car, with all of it where it roams.
func (l *Law) lane(w *ground.Sweep) float64 {
	if l.roams {
		return float64(min(w.Lane, w.Ways[len(w.Ways)-1]))
	}
	return float64(w.Lane)
}
