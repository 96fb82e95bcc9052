package steer

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// With one beam the ground beside the car is mostly not known, and a search finds the same
// exit that just led nowhere: the car drove to and fro before one wall for half a minute.
// Where it drove off in vain is kept, and driving off near there, likewise, costs more
// (docs/decisions/0054).
const (
	triedMost = 8        // places kept
	triedNear = 0.12     // m, exits nearer to each other are the same
	triedOff  = 25 * deg // if they point the same way
	triedCost = 4.0      // s that an exit costs for each time that it was tried
	triedAway = 1.0      // m driven without a manoeuvre after which all are forgotten
)

// tried are the places from which the car drove off in vain, the oldest overwritten first.
type tried struct {
	place [triedMost]ground.Pose
	n     int
	next  int         // which is overwritten
	exit  ground.Pose // where the car drove off last
	open  bool        // whether that led away is not known yet
}

// leave notes where the car drives off.
func (t *tried) leave(at ground.Pose) { t.exit, t.open = at, true }

// failed notes that the last exit led nowhere.
func (t *tried) failed() {
	if !t.open {
		return
	}
	t.place[t.next] = t.exit
	t.next = (t.next + 1) % triedMost
	t.n, t.open = min(t.n+1, triedMost), false
}

// cost is what driving off at a node costs in s for what was tried there.
func (t *tried) cost(n *node) (c float64) {
	for i := range t.n {
		p := &t.place[i]
		off := math.Abs(exact.Wrap(float64(p.Heading - n.turn)))
		if between(*p, ground.Pose{X: n.x, Y: n.y}) < triedNear && off < triedOff {
			c += triedCost
		}
	}
	return c
}

// begin begins a manoeuvre, and notes whether the exit of the last one led nowhere: it did
// where the way is shut again, not where what draws lies elsewhere.
func (l *Law) begin(s *Situation) {
	again := l.vainly(s)
	switch {
	case l.since > triedAway:
		l.tried = tried{}
	case l.since < leaveWay && l.astray <= astrayTime:
		l.tried.failed()
	}
	l.tried.open = false
	l.turn.begin(s)
	l.turn.again = again
}
