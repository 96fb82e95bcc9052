package table

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/steer"
	"fieldbrain/field/exact"
)

// quarter is the number of right angles nearest to a turn, 0..3.
func quarter(turn float64) int { return int(math.Floor(turn/(90*deg)+0.5)) & 3 }

// Wants returns the bearing of the way to go, rad from the heading, when there is one. It
// decides to which side, so that it is asked once a tick.
func (t *Map) Wants(v *View) (bearing float64, ok bool) {
	if !t.known {
		return turnRound, v.Look && t.looks()
	}
	t.cross(v)
	t.shuns()
	off := t.off()
	if v.Nose < blocked && math.Abs(off) < blockedBy && !v.passes(t) || t.retreat() == 0 && v.free(t, t.leg) < legShut {
		t.detour(v)
		off = t.off()
	}
	if math.Abs(off) < turnRound {
		t.spin = 0
		return off + t.aside(), true
	}
	if t.spin == 0 { // to one side, and to that side until it is round
		t.spin = 1
		if h := quarter(t.heading); t.toRight(h+1, h+3, off) {
			t.spin = -1
		}
	}
	return t.spin * turnRound, true
}

// looks reports whether one beam has to be turned still: on the spot, to hear the walls
// around before the first edge.
func (t *Map) looks() bool { return t.way < firstWay && math.Abs(t.turned) < lookTurn }

// next chooses the side to go to after a meeting: the one opposite, but first of all one
// of those beside the first, because along an unknown side a wheel is past it first.
func (t *Map) next(q int) {
	t.leg = (q + 2) % 4
	left, right := (q+1)%4, (q+3)%4
	if t.sides[left].met || t.sides[right].met || t.sides[t.leg].met {
		return
	}
	if t.leg = left; t.toRight(left, right, exact.Wrap(float64(float64(q)*90*deg)-t.heading)) {
		t.leg = right
	}
}

// toRight reports whether there is more room to the right, or as much and the shorter turn.
func (t *Map) toRight(left, right int, off float64) bool {
	if more := t.room(left) - t.room(right); math.Abs(more) > wider {
		return more < 0
	}
	return off < 0
}

// room is how far the axle is from a side as far as is known, in m; nothing where there
// is no room to turn.
func (t *Map) room(q int) float64 {
	if q &= 3; t.sides[q].met {
		if far := t.sides[q].far - t.along(q); far > narrow {
			return far
		}
		return -1
	}
	return t.been[q] - t.along(q)
}

// Back is how far the car goes back before it turns, in m: from a side, or to a lane that it
// has passed.
func (t *Map) Back() float64 {
	if far := t.retreat(); far > 0 {
		return far
	}
	return t.missed()
}

// retreat is how far the car goes back from a side on the way it came, in m.
func (t *Map) retreat() float64 {
	for q := range t.sides {
		c, s0 := axis(q)
		faces := float64(c*exact.Cos(t.heading))+float64(s0*exact.Sin(t.heading)) > 0.7
		if s := &t.sides[q]; s.met && (s.ago < backLate || faces && t.along(q) > s.far-backFrom) {
			away := turnAway
			if o := &t.sides[(q+2)&3]; o.met {
				away = min(away, (s.far+o.far)/2)
			}
			return exact.Clip(t.along(q)-(s.far-away), 0, turnAway)
		}
	}
	return 0
}

// missed is how far the car has passed the lanes to a side that lies beside it, in m: so far it
// goes back before it turns.
func (t *Map) missed() float64 {
	off := t.off()
	if !t.sides[t.leg].met || math.Abs(math.Abs(off)-90*deg) > besideCar {
		return 0
	}
	past := t.lane()
	if off < 0 {
		past = -past
	}
	return exact.Clip(past, 0, missedMost)
}

// lane is how far to the left the car has to be for a side to be met where it is whole:
// not near its ends, where a corner may be cut off, or the table be no rectangle.
func (t *Map) lane() float64 {
	left, right := &t.sides[(t.leg+1)&3], &t.sides[(t.leg+3)&3]
	here := t.along(t.leg + 1)
	low, high := math.Inf(-1), math.Inf(1)
	if right.met {
		low = laneKeep - right.far
	}
	if left.met {
		high = left.far - laneKeep
	}
	if s := &t.sides[t.leg]; s.met { // where it was met, there it is, and as far from sides that are known
		spare := 2 * math.Sqrt(t.spread[(t.leg+1)&1])
		low, high = low+spare, high-spare
		if !right.met || low > s.low-laneMore {
			low = s.low - laneMore
		}
		if !left.met || high < s.high+laneMore {
			high = s.high + laneMore
		}
	}
	if low > high {
		low = (low + high) / 2
		high = low
	}
	return exact.Clip(here, low, high) - here
}

// FloorEdges lists the sides that are known, as the car sees them now, and returns how many: as
// far as the table law's ways lead without an end, and else as far as sideReach; so far, too,
// where nothing but walls says after lastsOne that one side alone is there still.
func (t *Map) FloorEdges(to *[4]steer.FloorEdge, endless bool) (n int) {
	if met, _ := t.count(); met == 1 && t.way > lastsOne {
		endless = false
	}
	for q := range t.sides {
		if s := &t.sides[q]; s.met {
			a := float64(float64(q)*90*deg) - t.heading
			spare := min(floorEdgeSpare+float64(2*math.Sqrt(t.spread[q&1])), floorEdgeMost)
			to[n] = steer.FloorEdge{X: exact.Cos(a), Y: exact.Sin(a), Far: s.far - t.along(q) - spare}
			if here := t.along(q + 1); !endless {
				to[n].Low, to[n].High = s.low-sideReach-here, s.high+sideReach-here
			}
			n++
		}
	}
	return n
}

// aside is by how much the way leads to the left, to its lane.
func (t *Map) aside() float64 {
	return exact.Clip(float64(laneGain*t.lane()), -laneMost, laneMost)
}

// shuns turns away from a side that it would meet elsewhere than in its lane.
func (t *Map) shuns() {
	s := &t.sides[t.leg]
	far := s.far - t.along(t.leg)
	if s.met && far < laneNear && far > laneLast && math.Abs(t.lane()) > laneOff {
		t.leaves()
		t.leg, t.crossed, t.spin = (t.leg+2)&3, false, 0
	}
}

// off is the turn to the leg, in rad.
func (t *Map) off() float64 { return exact.Wrap(float64(float64(t.leg)*90*deg) - t.heading) }

const (
	sideReach = 1.5  // m beside where a side was met, as far as it is believed on the way to a goal: stairs and tables end
	overLeast = 0.05 // m past a side that a goal is beyond it ...
	overNose  = 0.05 // ... or as far past it as the car gets with its nose at the edge
)

// OverEdge reports whether a goal lies beyond a known side: it is seen from the body's centre,
// rad from the heading and m off, and is reached from near m off.
func (t *Map) OverEdge(bearing, distance, near float64) bool {
	way := t.heading + bearing
	x := t.x + float64(ground.Ahead*exact.Cos(t.heading)) + float64(distance*exact.Cos(way))
	y := t.y + float64(ground.Ahead*exact.Sin(t.heading)) + float64(distance*exact.Sin(way))
	least := max(overLeast, near-overNose)
	for q := range t.sides {
		c, s := axis(q)
		past := float64(x*c) + float64(y*s) - t.sides[q].far
		aside := float64(y*c) - float64(x*s)
		if s := &t.sides[q]; s.met && past > least && aside > s.low-sideReach && aside < s.high+sideReach {
			return true
		}
	}
	return false
}
