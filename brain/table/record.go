package table

import (
	"fmt"
	"math"

	"fieldbrain/robot"
)

// A Record is a map as it is kept: numbers of fixed size.
type Record struct {
	X, Y, Heading float64                 // m, m, rad in the table's frame
	Scale         float64                 // share by which turns are larger than reckoned
	Turned, Way   float64                 // rad, m since the last meeting with a side
	Spin          float64                 // -1, 0 or 1
	Where         [3]float64              // m, m, rad at the beginning of the meeting under way
	Doubt         float64                 // rad2, variance of the heading after the last meeting
	Unsure        float64                 // variance of Scale
	From          [2]float64              // m, where the car last turned
	Run, Ran      float64                 // m forwards and backwards in the meeting under way ...
	Forth         float64                 // ... and forwards just before it
	Saw           [robot.NumFloor]float64 // m into it at which each sensor saw the edge
	Been          [4]float64              // m along each direction, the farthest that the axle was
	Spread        [2]float64              // m2, variance of X and Y
	Driven        float64                 // m since the frame was made
	Far, Ago      [4]float64              // m, of each side
	At            [4]float64              // m to the left, where it was first met
	Low, High     [4]float64              // m, and to both sides of that, where it was met since
	Wall, Placed  [4]float64              // m, of each wall: where it is, and driven when it was first heard
	Heard, Lost   [4]uint8                // echoes that agree, and that do not
	Met           [4]bool
	Vain          [4]bool // it turned away from it since it met one
	Seen          [robot.NumFloor]bool
	Known         bool
	Crossed       bool
	Meeting       bool
	Leg           uint8
}

// Save copies the map into r.
func (t *Map) Save(r *Record) {
	*r = Record{
		X: t.x, Y: t.y, Heading: t.heading, Scale: t.scale, Turned: t.turned, Way: t.way, Spin: t.spin, Where: t.where,
		Doubt: t.doubt, Unsure: t.unsure, From: [2]float64{t.fromX, t.fromY}, Run: t.run, Ran: t.ran,
		Forth: t.forth, Saw: t.saw, Been: t.been,
		Spread: t.spread, Driven: t.driven, Seen: t.seen, Vain: t.vain, Known: t.known, Crossed: t.crossed,
		Meeting: t.meeting, Leg: uint8(t.leg),
	}
	for i, o := range t.sides {
		r.Far[i], r.Ago[i], r.Met[i], r.At[i] = o.far, o.ago, o.met, o.at
		r.Low[i], r.High[i] = o.low, o.high
	}
	for i, w := range t.walls {
		r.Wall[i], r.Placed[i], r.Heard[i], r.Lost[i] = w.far, w.from, uint8(w.n), uint8(w.lost)
	}
}

// Resume takes over what Save wrote; Check says what it must be. Where the clock did not go
// on, Forget follows.
func (t *Map) Resume(r *Record) {
	*t = Map{
		x: r.X, y: r.Y, heading: r.Heading, scale: r.Scale, turned: r.Turned, way: r.Way, spin: r.Spin, where: r.Where,
		doubt: r.Doubt, unsure: r.Unsure, fromX: r.From[0], fromY: r.From[1], run: r.Run, ran: r.Ran,
		forth: r.Forth, saw: r.Saw, been: r.Been,
		spread: r.Spread, driven: r.Driven, seen: r.Seen, vain: r.Vain, known: r.Known, crossed: r.Crossed,
		meeting: r.Meeting, leg: int(r.Leg),
	}
	for i := range t.sides {
		t.sides[i] = side{met: r.Met[i], far: r.Far[i], ago: r.Ago[i], at: r.At[i], low: r.Low[i], high: r.High[i]}
		t.walls[i] = wall{far: r.Wall[i], from: r.Placed[i], n: int(r.Heard[i]), lost: int(r.Lost[i])}
	}
}

// Forget forgets the table but for the scale of turns, which is the car's: it may stand
// elsewhere.
func (t *Map) Forget() { *t = Map{scale: t.scale} }

// Check returns what in r no map can have, or nil. Whoever asks adds where it comes from.
func (r *Record) Check() error {
	const far, turn = 1e6, 2 * math.Pi // m, rad
	all := []float64{r.X, r.Y, r.Turned, r.Way, r.Where[0], r.Where[1], r.Run, r.Ran, r.Forth, r.Driven}
	parts := [][]float64{
		r.Far[:], r.Ago[:], r.Been[:], r.Saw[:], r.From[:], r.At[:],
		r.Low[:], r.High[:], r.Wall[:], r.Placed[:],
	}
	for _, part := range parts {
		all = append(all, part...)
	}
	for _, v := range all {
		if !(v >= -far && v <= far) { // NaN fails
			return fmt.Errorf("the table has %v m, must be within %v", v, far)
		}
	}
	for _, q := range []struct {
		of, unit       string
		v, least, most float64
	}{
		{"the place's variance", "m2", r.Spread[0], 0, far},
		{"the place's variance", "m2", r.Spread[1], 0, far},
		{"the heading's variance", "rad2", r.Doubt, 0, turn * turn},
		{"the scale's variance", "", r.Unsure, 0, scaleFirst},
		{"the heading", "rad", r.Heading, -turn, turn},
		{"the heading before", "rad", r.Where[2], -turn, turn},
		{"the scale", "", r.Scale, -scaleMost, scaleMost},
		{"the spin", "", r.Spin, -1, 1},
		{"the side it leads to", "", float64(r.Leg), 0, 3},
	} {
		if !(q.v >= q.least && q.v <= q.most) { // NaN fails
			return fmt.Errorf("on the table %s is %v %s, must be within %v..%v", q.of, q.v, q.unit, q.least, q.most)
		}
	}
	return nil
}
