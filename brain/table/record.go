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

// Save copies the map into s.
func (t *Map) Save(s *Record) {
	*s = Record{
		X: t.x, Y: t.y, Heading: t.heading, Scale: t.scale, Turned: t.turned, Way: t.way, Spin: t.spin, Where: t.where,
		Doubt: t.doubt, Unsure: t.unsure, From: [2]float64{t.fromX, t.fromY}, Run: t.run, Ran: t.ran,
		Forth: t.forth, Saw: t.saw, Been: t.been,
		Spread: t.spread, Driven: t.driven, Seen: t.seen, Vain: t.vain, Known: t.known, Crossed: t.crossed,
		Meeting: t.meeting, Leg: uint8(t.leg),
	}
	for i, o := range t.sides {
		s.Far[i], s.Ago[i], s.Met[i], s.At[i] = o.far, o.ago, o.met, o.at
		s.Low[i], s.High[i] = o.low, o.high
	}
	for i, w := range t.walls {
		s.Wall[i], s.Placed[i], s.Heard[i], s.Lost[i] = w.far, w.from, uint8(w.n), uint8(w.lost)
	}
}

// Resume takes over what Save wrote; Check says what it must be. Of a car that may stand
// elsewhere only the scale of its turns counts.
func (t *Map) Resume(s *Record, elsewhere bool) {
	if elsewhere {
		*t = Map{scale: s.Scale}
		return
	}
	*t = Map{
		x: s.X, y: s.Y, heading: s.Heading, scale: s.Scale, turned: s.Turned, way: s.Way, spin: s.Spin, where: s.Where,
		doubt: s.Doubt, unsure: s.Unsure, fromX: s.From[0], fromY: s.From[1], run: s.Run, ran: s.Ran,
		forth: s.Forth, saw: s.Saw, been: s.Been,
		spread: s.Spread, driven: s.Driven, seen: s.Seen, vain: s.Vain, known: s.Known, crossed: s.Crossed,
		meeting: s.Meeting, leg: int(s.Leg),
	}
	for i := range t.sides {
		t.sides[i] = side{met: s.Met[i], far: s.Far[i], ago: s.Ago[i], at: s.At[i], low: s.Low[i], high: s.High[i]}
		t.walls[i] = wall{far: s.Wall[i], from: s.Placed[i], n: int(s.Heard[i]), lost: int(s.Lost[i])}
	}
}

// Check returns what in s no map can have, or nil. Whoever asks adds where it comes from.
func (s *Record) Check() error {
	const far, turn = 1e6, 2 * math.Pi // m, rad
	all := []float64{s.X, s.Y, s.Turned, s.Way, s.Where[0], s.Where[1], s.Run, s.Ran, s.Forth, s.Driven}
	parts := [][]float64{
		s.Far[:], s.Ago[:], s.Been[:], s.Saw[:], s.From[:], s.At[:],
		s.Low[:], s.High[:], s.Wall[:], s.Placed[:],
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
		{"the place's variance", "m2", s.Spread[0], 0, far},
		{"the place's variance", "m2", s.Spread[1], 0, far},
		{"the heading's variance", "rad2", s.Doubt, 0, turn * turn},
		{"the scale's variance", "", s.Unsure, 0, scaleFirst},
		{"the heading", "rad", s.Heading, -turn, turn},
		{"the heading before", "rad", s.Where[2], -turn, turn},
		{"the scale", "", s.Scale, -scaleMost, scaleMost},
		{"the spin", "", s.Spin, -1, 1},
		{"the side it leads to", "", float64(s.Leg), 0, 3},
	} {
		if !(q.v >= q.least && q.v <= q.most) { // NaN fails
			return fmt.Errorf("on the table %s is %v %s, must be within %v..%v", q.of, q.v, q.unit, q.least, q.most)
		}
	}
	return nil
}
