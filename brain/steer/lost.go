package steer

// Somebody who passes beside the car leaves the outer beam of that side, at 60 degrees, before
// he is past. Then the floor there looks free, no beam sees where he went, and a car that steers
// to that side at once touches him with its flank (docs/decisions/0053).
const (
	lostNear  = 0.20 // m, nearer than which the beam must have heard him
	lostBy    = 0.30 // m more that it hears then, or nothing
	lostSpeed = 0.10 // m/s above which the car moves out of his way itself
	lostWay   = 0.30 // m for which the side is not taken for free
	lostCost  = 2    // of full lock to that side, in shares of the lock
)

// A loss is what the outer beam of one side last heard, and what came of it.
type loss struct {
	heard float64 // m, 0: nothing
	left  float64 // m to drive until the side counts as free again
}

// take looks at what the beam hears now, after so much way forward in m at a speed; about
// says whether somebody was heard to come on that side. Where the beam says nothing, what it
// heard before still counts.
func (o *loss) take(e *Echo, way, speed float64, about bool) {
	o.left = max(0, o.left-way)
	if !e.Known {
		return
	}
	near := o.heard > 0 && o.heard < lostNear
	if near && about && (e.Range == 0 || e.Range > o.heard+lostBy) && speed > lostSpeed {
		o.left = lostWay
	}
	o.heard = e.Range
}

// lose looks at both sides.
func (l *Law) lose(s *Situation) {
	way := max(0, float64(s.Speed*s.Dt))
	for i := range l.losses {
		inner, outer := &s.Echoes[1+i], &s.Echoes[3+i]
		l.losses[i].take(outer, way, s.Speed, inner.About || outer.About)
	}
}

// lost is what it costs to steer to a side on which somebody was just lost.
func (l *Law) lost(steering float64) float64 {
	c := 0.0
	for i, side := range [...]float64{1, -1} {
		if l.losses[i].left > 0 {
			c += float64(lostCost * max(0, float64(side*steering)/l.body.Lock))
		}
	}
	return c
}
