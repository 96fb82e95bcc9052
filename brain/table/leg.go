package table

// To which side of the table the car goes next, and where it turns off.

import (
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A View is what the ground shows around the axle.
type View struct {
	Grid *ground.Grid // nil: nothing stands anywhere
	At   ground.Pose  // of the rear axle, in the odometry's frame
	Nose float64      // m free straight ahead
	Look bool         // one beam has to be turned to hear the walls
}

// free is how far the ground lets the car go towards a side from where the axle is, in m:
// what stands there is known before the car has turned to it.
func (v *View) free(t *Map, q int) float32 {
	if v.Grid == nil {
		return legOpen
	}
	return v.sweep(t, q).Free
}

// sweep asks the ground for the way towards a side.
func (v *View) sweep(t *Map, q int) ground.Sweep {
	to := v.At
	to.Heading = float32(exact.Wrap(float64(to.Heading) + float64(float64(q&3)*90*deg) - t.heading))
	return v.Grid.Sweep(to, 0, legOpen, false)
}

// passes reports whether a car that has met no edge yet steers past what stands where its nose
// points: its way itself is known to be open. Where sides are known there is no room for that
// beside a lane, and one beam, which sees no more than the nose, cannot tell.
func (v *View) passes(t *Map) bool {
	if v.Grid == nil || v.Look || t.Met() {
		return false
	}
	way := v.sweep(t, t.leg)
	return min(way.Free, way.Lane) >= legOpen
}

// cross leaves the way between two sides for one of the two others, where that was met first,
// or in the middle where it was not met: elsewhere the car would not come back to its lane,
// shun it and go round. On a way that begins past that place it goes on to the side ahead.
func (t *Map) cross(v *View) {
	to, from := &t.sides[t.leg], &t.sides[(t.leg+2)%4]
	if t.crossed || !to.met || !from.met {
		return
	}
	side, at := t.beside(v)
	if side < 0 {
		return
	}
	past, early := t.along(t.leg)+ground.Ahead-at, crossAhead
	reach := t.reach(side)
	if v.Look || t.Back() > 0 { // it turns on the spot
		early = min(early, reach)
	} else {
		past += crossAhead
		early = 0
	}
	if past < -early {
		return
	}
	if t.crossed = true; past < reach {
		t.leg = side
	}
}

// reach is how far beside its lane a way to a side may begin, in m, for the car to be on it
// in time.
func (t *Map) reach(q int) float64 {
	s := &t.sides[q&3]
	if !s.met {
		return crossLate
	}
	return exact.Clip(float64(laneSlope*(s.far-t.along(q)-laneNear)), laneOff, crossLate)
}

// opens reports whether the ground is open to a side, and far enough to get into its lane.
func (t *Map) opens(v *View, q int) bool {
	s := &t.sides[q]
	return !t.vain[q] && v.free(t, q) >= legOpen && (!s.met || s.far-t.along(q) > laneNear+laneRun)
}

// beside returns the side beside the way that was not met for longest and that opens, and
// where along the way its lane begins; no side is -1.
func (t *Map) beside(v *View) (side int, at float64) {
	left, right := (t.leg+1)%4, (t.leg+3)%4
	a, b := &t.sides[left], &t.sides[right]
	at = (t.sides[t.leg].far - t.sides[(t.leg+2)%4].far) / 2
	switch l, r := t.opens(v, left), t.opens(v, right); {
	case l && (!r || !a.met || b.met && a.ago > b.ago):
		if a.met {
			at = -a.at
		}
		return left, at
	case r:
		if b.met {
			at = b.at
		}
		return right, at
	}
	return -1, at
}

// detour leaves a leg on which something stands for the best of the others, if one is open.
// Of two beside it that are as good it takes the one that was met before the other, or that has
// more room.
func (t *Map) detour(v *View) {
	left, right, behind := (t.leg+1)%4, (t.leg+3)%4, (t.leg+2)%4
	to := left
	if l, r := t.rank(v, left), t.rank(v, right); r > l || r == l && t.later(left, right) {
		to = right
	}
	if t.rank(v, behind) > t.rank(v, to) {
		to = behind
	}
	open := t.rank(v, to) > 0
	if open {
		t.leaves()
	}
	if open || v.Nose < blocked {
		t.leg, t.crossed, t.spin = to, true, 0
	}
}

// leaves notes that the car turns away from the side it was going to, and begins anew when it
// has from all.
func (t *Map) leaves() {
	if t.vain[t.leg] = true; t.vain == [4]bool{true, true, true, true} {
		t.vain = [4]bool{}
		t.vain[t.leg] = true
	}
}

// later reports whether the left one of two sides was met later than the right one, or that one has more
// room.
func (t *Map) later(left, right int) bool {
	a, b := &t.sides[left], &t.sides[right]
	if a.met && b.met {
		return b.ago > a.ago
	}
	return t.toRight(left, right, t.off())
}

// rank is how good a side is to go to: 0 where there is no room or something stands in the
// way, 1 where it turned away from it already, and 4 where nobody knows it yet and one beside
// it is known, for along an unknown side a wheel is past it first.
func (t *Map) rank(v *View, q int) int {
	switch q &= 3; {
	case t.room(q) < 0 || v.free(t, q) < legOpen:
		return 0
	case t.vain[q]:
		return 1
	case t.sides[q].met:
		return 2
	case t.sides[(q+1)&3].met || t.sides[(q+3)&3].met:
		return 4
	}
	return 3
}
