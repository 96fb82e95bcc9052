package table

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

const deg = math.Pi / 180

// A Map keeps the sides of the table that the car is on, and says which way to drive
// so that it meets every side square on. The zero Map knows of none.
type Map struct {
	known   bool       // the frame is: a side has been met, or the walls heard
	x, y    float64    // m, of the rear axle
	heading float64    // rad
	scale   float64    // share by which turns are larger than reckoned
	turned  float64    // rad since the last meeting
	doubt   float64    // rad2, variance of the heading after the last meeting
	unsure  float64    // variance of scale; 0 is that of no meeting
	fromX   float64    // m, where the car last turned
	fromY   float64    // m
	sides   [4]side    // ahead in the frame, left, behind, right
	leg     int        // the side it goes to
	spin    float64    // +1 left, -1 right: how it turns to a leg behind it
	crossed bool       // on this leg it has already been decided whether to leave it
	way     float64    // m since an edge was last seen
	been    [4]float64 // m along each direction, the farthest that the axle was
	spread  [2]float64 // m2, variance of x and y
	driven  float64    // m since the frame was made
	walls   [4]wall    // in the same directions
	vain    [4]bool    // sides that it turned away from since it met one
	five    bool       // beams look to the sides, too; each tick says so

	meeting bool
	seen    [robot.NumFloor]bool    // of this meeting
	saw     [robot.NumFloor]float64 // m into it at which each sensor did
	run     float64                 // m that it went forwards ...
	ran     float64                 // ... and backwards
	forth   float64                 // m that it had just come forwards before it, as far as edgeForth
	where   [3]float64              // x, y, heading at its beginning
}

// A side of the table.
type side struct {
	met       bool
	far       float64 // m along its direction
	at        float64 // m to the left, where the axle was when it first met it ...
	low, high float64 // ... and to both sides of that, where it met it since
	ago       float64 // m driven since it was met
}

// What sensors say of the slant of an edge: they stand 20 mm apart and see it one after
// another, within 1.5 mm.
const (
	oneHigh = 38 * deg // only an outer one saw it: from there on a wheel is past it first
	two     = 4 * deg  // the standard error where two saw it
	three   = 2.5 * deg
	square  = 4 * deg // the same of the middle one alone

	lastsOne  = 6.0  // m without an edge after which the car is on no table ...
	lastsMore = 25.0 // ... where it met more than one side, or walls say where the one is

	anchorSpread = (floorEdgeMost / 2) * (floorEdgeMost / 2) // m2, of the place: two standard errors are the margin
	anchorTurn   = 1.0                                       // rad that the reckoning alone tells

	doubtMost      = math.Pi * math.Pi // rad2, of a heading that nobody knows
	sameSide       = 0.15              // m up to which a side's place is the same
	scaleMost      = 0.15              // the reckoning has a standard deviation of 0.08
	scaleFirst     = 0.08 * 0.08
	bends          = 1.5 // 1/m: more is a turn, less is on the way
	turnRound      = 140 * deg
	crossAhead     = 0.16 // m before a lane at which the car turns off to it: its radius
	crossLate      = 0.30 // m beside that lane, at which it still does
	turnAway       = 0.80 // m from a side to the axle when the car turns: beside it corners may be cut off
	backLate       = 0.6  // m driven since it was met, within which it goes back
	laneKeep       = 0.50 // m from a side beside the way: as far as corners are cut off
	laneMore       = 0.03 // m beside where a side was met, up to which it surely goes on ...
	laneWide       = 0.15 // ... and beside where it was first: a lane must not creep to a corner
	floorEdgeSpare = 0.02 // m before a known side, that wheels keep, and twice the standard error of the place
	floorEdgeMost  = 0.10
	laneGain       = 2.0 // rad per m
	laneMost       = 20 * deg
	laneSlope      = 0.36     // tangent of laneMost
	laneNear       = 0.42     // m before a side ...
	laneLast       = 0.32     // m before it: here it goes on
	backFrom       = 0.40     // m to a side ahead, within which it goes back before it turns
	laneRun        = 0.15     // m before that, in which the car gets into its lane
	laneOff        = 0.10     // m beside the lane: it turns away
	missedMost     = 0.30     // m back to a lane that the car has passed
	besideCar      = 30 * deg // off square on to the heading, within which a side lies beside the car
	blocked        = 0.18     // m free ahead: less, and something stands in the way
	blockedBy      = 30 * deg
	legShut        = 0.25 // m free towards a side, less than which is no way there ...
	legOpen        = 0.45 // and as far as makes one
	narrow         = 0.30 // m to a side: less is no room to turn
	wider          = 0.05 // m more room than on the other side, which counts
)

// A Look is what a tick tells of how the axle moved and of the floor under the bar.
type Look struct {
	Way, Bend float64              // m and rad of the rear axle, Way negative backwards
	Edges     [robot.NumFloor]bool // which floor sensors see an edge
	Sides     bool                 // beams look to the sides, too
}

// Update takes one tick.
func (t *Map) Update(k *Look) {
	t.five = k.Sides
	t.move(k.Way, k.Bend)
	if !t.meeting {
		t.forth = exact.Clip(t.forth+k.Way, 0, edgeForth)
	}
	seen := false
	for i, e := range k.Edges {
		if !e {
			continue
		}
		seen = true
		if !t.meeting {
			t.meeting, t.seen, t.where = true, [robot.NumFloor]bool{}, [3]float64{t.x, t.y, t.heading}
			t.run, t.ran = 0, 0
		}
		if !t.seen[i] {
			t.seen[i], t.saw[i] = true, t.run
		}
	}
	if t.meeting {
		t.run += max(k.Way, 0)
		t.ran += max(-k.Way, 0)
	}
	if t.meeting && !seen {
		if t.meeting = false; t.edged() {
			t.settle()
		}
		t.forth = 0
	}
	if t.known && t.way > t.lasts() {
		*t = Map{scale: t.scale, way: t.way}
	}
}

// move reckons on.
func (t *Map) move(way, bend float64) {
	half := float64((1 + t.scale) * bend / 2)
	mid := t.heading + half
	t.x += float64(way * exact.Cos(mid))
	t.y += float64(way * exact.Sin(mid))
	t.heading = exact.Wrap(mid + half)
	t.turned += bend
	if math.Abs(bend) > float64(bends*math.Abs(way)) {
		t.fromX, t.fromY = t.x, t.y
	}
	long := math.Abs(way)
	t.way += long
	t.driven += long
	t.spread[0] += float64(wayDrift * long)
	t.spread[1] += float64(wayDrift * long)
	t.doubt = min(t.doubt+float64(turnDrift*math.Abs(bend)), doubtMost)
	for i := range t.sides {
		t.sides[i].ago += long
		t.been[i] = max(t.been[i], t.along(i))
	}
}

// along is where the axle is along the direction of a side, in m.
func (t *Map) along(q int) float64 {
	c, s := axis(q)
	return float64(t.x*c) + float64(t.y*s)
}

// axis is the direction of a side.
func axis(q int) (c, s float64) {
	return [4]float64{1, 0, -1, 0}[q&3], [4]float64{0, 1, 0, -1}[q&3]
}
