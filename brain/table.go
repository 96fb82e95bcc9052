package brain

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// table keeps the sides of the table that the car is on, and says which way to drive
// so that it meets every side square on: aslant a front wheel is past the edge before
// any floor sensor (docs/robot.md). The sides of most tables are parallel or square to
// each other, and where they are not the first meeting of a side tells.
//
// It begins with the first edge. The car goes to the side opposite, then from the
// middle between the two to the other pair, then on and on between all of them.
//
// Its frame is its own: x leads square on to the first side. Every meeting with a side
// says how the car stands to it, and so how wrong its turns were.
type table struct {
	known   bool    // a side has been met, the frame is
	x, y    float64 // m, of the rear axle
	heading float64 // rad
	scale   float64 // share by which turns are larger than reckoned
	turned  float64 // rad since the last meeting
	sides   [4]side // ahead in the frame, left, behind, right
	leg     int     // the side it goes to
	spin    float64 // +1 left, -1 right: how it turns to a leg behind it
	crossed bool    // on this leg it has already been decided whether to leave it
	way     float64 // m since an edge was last seen

	meeting bool
	seen    [robot.NumFloor]bool // of this meeting
	where   [3]float64           // x, y, heading at its beginning
}

// A side of the table.
type side struct {
	met bool
	far float64 // m along its direction
	ago float64 // m driven since it was met
}

// What sensors say of the slant of an edge, from how the car stops behind it: 5 to
// 10 mm past the first of them, which are 20 mm apart.
const (
	oneLow, oneMid, oneHigh = 12 * deg, 24 * deg, 36 * deg // only an outer one saw it
	twoLow, twoMid, twoHigh = 5 * deg, 10 * deg, 16 * deg  // so did the middle one
	square                  = 7 * deg                      // all three, or the middle one alone

	tableLasts = 6.0      // m without an edge after which the car is on no table
	tableSame  = 0.15     // m up to which a side's place is the same
	scaleMost  = 0.15     // turnShare is a standard deviation of 0.08
	scaleGain  = 0.7      // share of what is to be learned from one meeting
	scaleLeast = 60 * deg // turn that tells anything
	turnRound  = 140 * deg
	crossAhead = 0.05 // m before the middle at which the car stops to turn
)

// update takes one tick: how the axle moved, and what the floor sensors see.
func (t *table) update(way, bend float64, edges *[robot.NumFloor]bool) {
	t.move(way, bend)
	seen := false
	for i, e := range edges {
		if !e {
			continue
		}
		seen = true
		if !t.meeting {
			t.meeting, t.seen, t.where = true, [robot.NumFloor]bool{}, [3]float64{t.x, t.y, t.heading}
		}
		t.seen[i] = true
	}
	if t.meeting && !seen {
		t.meeting = false
		t.met()
	}
	if t.known && t.way > tableLasts {
		*t = table{scale: t.scale}
	}
}

// move reckons on.
func (t *table) move(way, bend float64) {
	half := float64((1 + t.scale) * bend / 2)
	mid := t.heading + half
	t.x += float64(way * exact.Cos(mid))
	t.y += float64(way * exact.Sin(mid))
	t.heading = exact.Wrap(mid + half)
	t.turned += bend
	long := math.Abs(way)
	t.way += long
	for i := range t.sides {
		t.sides[i].ago += long
	}
}

// slant is what the sensors say of the edge's direction: rad from the heading to the
// way square on to it, and its bounds.
func (t *table) slant() (low, mid, high float64) {
	l, m, r := t.seen[robot.FloorLeft], t.seen[robot.FloorMiddle], t.seen[robot.FloorRight]
	switch {
	case l && m && !r:
		return twoLow, twoMid, twoHigh
	case r && m && !l:
		return -twoHigh, -twoMid, -twoLow
	case l && !r:
		return oneLow, oneMid, oneHigh
	case r && !l:
		return -oneHigh, -oneMid, -oneLow
	}
	return -square, 0, square
}

// expected is the slant of the edge under the bar: what the sensors say, within its
// bounds what is known of the sides.
func (t *table) expected() float64 {
	low, mid, high := t.slant()
	if !t.meeting || !t.known {
		return mid
	}
	q := quarter(t.where[2] + mid)
	return clip(exact.Wrap(float64(float64(q)*90*deg)-t.where[2]), low, high)
}

// met ends a meeting with a side.
func (t *table) met() {
	low, mid, high := t.slant()
	if !t.known {
		*t = table{known: true, scale: t.scale, heading: exact.Wrap(t.heading - t.where[2] - mid), seen: t.seen}
		t.where = [3]float64{0, 0, -mid}
	}
	q := quarter(t.where[2] + mid)
	off := exact.Wrap(float64(float64(q)*90*deg) - t.where[2]) // the slant that is expected
	wrong := off - clip(off, low, high)                        // of the heading
	t.heading = exact.Wrap(t.heading + wrong)
	if math.Abs(t.turned) > scaleLeast {
		t.scale = clip(t.scale+float64(scaleGain*wrong/t.turned), -scaleMost, scaleMost)
	}
	c, s := axis(q)
	s0 := &t.sides[q]
	far := float64(t.where[0]*c) + float64(t.where[1]*s) + barAhead
	if miss := s0.far - far; s0.met && math.Abs(miss) < tableSame { // the car is elsewhere than it thinks
		t.x += float64(miss * c)
		t.y += float64(miss * s)
	} else {
		s0.far = far
	}
	s0.met, s0.ago = true, 0
	t.leg, t.crossed, t.turned, t.way = (q+2)%4, false, 0, 0
}

// axis is the direction of a side.
func axis(q int) (c, s float64) {
	return [4]float64{1, 0, -1, 0}[q&3], [4]float64{0, 1, 0, -1}[q&3]
}

// quarter is the number of right angles nearest to a turn, 0..3.
func quarter(turn float64) int { return int(math.Floor(turn/(90*deg)+0.5)) & 3 }

// wants returns the bearing of the way to go, when there is one.
func (t *table) wants() (bearing float64, ok bool) {
	if !t.known {
		return 0, false
	}
	t.cross()
	off := exact.Wrap(float64(float64(t.leg)*90*deg) - t.heading)
	if math.Abs(off) < turnRound {
		t.spin = 0
		return off, true
	}
	if t.spin == 0 { // to one side, and to that side until it is round
		t.spin = math.Copysign(1, off)
	}
	return t.spin * turnRound, true
}

// cross leaves the way between two sides in its middle for one of the two others.
func (t *table) cross() {
	to, from := &t.sides[t.leg], &t.sides[(t.leg+2)%4]
	if t.crossed || !to.met || !from.met {
		return
	}
	c, s := axis(t.leg)
	here := float64(t.x*c) + float64(t.y*s) + axleToBody
	middle := float64((to.far - from.far) / 2)
	if here < middle-crossAhead {
		return
	}
	t.crossed = true
	a, b := &t.sides[(t.leg+1)%4], &t.sides[(t.leg+3)%4]
	if left := !a.met || b.met && a.ago > b.ago; left {
		t.leg = (t.leg + 1) % 4
	} else {
		t.leg = (t.leg + 3) % 4
	}
}
