package brain

import (
	"math"
	"testing"

	"fieldbrain/robot"
)

// meet shows a table an edge under some sensors, then 0.27 m of retreat.
func meet(t *table, edges [robot.NumFloor]bool) {
	t.update(0.001, 0, &edges)
	for range 270 {
		t.update(-0.001, 0, new([robot.NumFloor]bool))
	}
}

// TestTableSides: after a side met aslant the way leads square on to the one opposite;
// between two known ones the car turns in the middle to a third; a turn that was larger
// than reckoned is learned; and without edges the table is forgotten.
func TestTableSides(t *testing.T) {
	var e table
	if _, ok := e.wants(); ok {
		t.Fatal("a way without an edge")
	}
	meet(&e, [robot.NumFloor]bool{robot.FloorLeft: true}) // the side is 24 deg to the left of square
	off, ok := e.wants()
	if turn := exactWrap(off - e.spin*turnRound); !ok || math.Abs(turn) > 1e-9 || e.spin >= 0 {
		t.Errorf("bearing %.0f deg, %v, turns to %v: want right, the shorter way round", off/deg, ok, e.spin)
	}
	none := new([robot.NumFloor]bool)
	for range 156 {
		e.update(0, -1*deg, none)
	}
	if off, _ := e.wants(); math.Abs(off) > 0.5*deg {
		t.Errorf("turned round, %.1f deg are left", off/deg)
	}
	for range 1000 {
		e.update(0.001, 0, none)
	}
	meet(&e, [robot.NumFloor]bool{robot.FloorLeft: true, robot.FloorMiddle: true}) // it turned too far
	if e.scale <= 0 {
		t.Errorf("a larger turn than reckoned: scale %v", e.scale)
	}
	for i := 0; math.Abs(exactWrap(e.heading)) > 0.5*deg && i < 400; i++ {
		e.update(0, -1*deg, none)
	}
	for i := 0; e.leg%2 == 0 && i < 1000; i++ {
		e.update(0.001, 0, none)
		e.wants()
	}
	if middle := (e.sides[0].far - e.sides[2].far) / 2; e.leg%2 == 0 || math.Abs(e.x-middle) > 0.12 {
		t.Errorf("turns off at %.2f m to side %d, the middle is at %.2f", e.x, e.leg, middle)
	}
	for range 6100 {
		e.update(0.001, 0, none)
	}
	if _, ok := e.wants(); ok {
		t.Error("a table after 6 m without an edge")
	}
}

func exactWrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
