package table

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/robot"
)

// meet shows a table an edge as the sensors come past it, each some metres later, and
// then 0.27 m of retreat; a sensor that sees nothing is at 1 m.
func meet(t *Map, left, middle, right float64) {
	const step, last = 0.0001, 80 // 8 mm
	past := func(run float64) [robot.NumFloor]bool {
		return [robot.NumFloor]bool{robot.FloorLeft: run >= left, robot.FloorMiddle: run >= middle, robot.FloorRight: run >= right}
	}
	for i := range last {
		t.Update(&Look{Way: step, Edges: past(float64(i) * step)})
	}
	for i := range 278 {
		t.Update(&Look{Way: -0.001, Edges: past(last*step - 0.001*float64(i+1) - 0.0001)})
	}
}

// bends and goes are motions over the table.
func bendsBy(t *Map, turn float64) {
	for range 200 {
		t.Update(&Look{Bend: turn / 200})
	}
}

func goes(t *Map, way float64) {
	for range 1000 {
		t.Update(&Look{Way: way / 1000})
	}
}

// TestSides: after a side met aslant the way leads to one beside it, a little off the
// one it met; what a meeting says of the slant corrects heading, place and the scale of
// turns; then comes the side opposite, and from the middle between the two a new one.
// Without edges the table is forgotten, one of which one side was met sooner.
func TestSides(t *testing.T) {
	var e Map
	if _, ok := e.Wants(&View{Nose: 1}); ok {
		t.Fatal("a way without an edge")
	}
	goes(&e, 0.5)
	meet(&e, 0, 1, 1) // only the left one: 22 to 38 deg
	if slant := -e.heading / deg; slant < 22 || slant > 38 {
		t.Errorf("slant %.0f deg, want 22 to 38", slant)
	}
	off, ok := e.Wants(&View{Nose: 1})
	if rest := exactWrap(off - (90*deg - e.heading)); !ok || e.leg != 1 || rest <= 0 || rest > laneMost {
		t.Errorf("bearing %.0f deg to side %d, %.0f deg off the first: want the left one, a little off", off/deg, e.leg, rest/deg)
	}
	if back := e.Back(); back < 0.38 || back > 0.50 {
		t.Errorf("%.2f m back before it turns, want 0.80 m from the side", back)
	}
	bendsBy(&e, 90*deg-e.heading)
	goes(&e, 1)
	x := e.x
	meet(&e, 0, 0.0028, 0.0056) // 8 deg: it turned too little, and came nearer to the first side
	if e.scale >= -0.01 || e.scale < -scaleMost || e.x < x+0.05 {
		t.Errorf("scale %.3f, %.2f m nearer to the first side", e.scale, e.x-x)
	}
	if e.leg != 3 {
		t.Fatalf("then to side %d, want the one opposite", e.leg)
	}
	if off, _ := e.Wants(&View{Nose: 1}); math.Abs(off) < turnRound-0.01 || off*e.spin < 0 {
		t.Errorf("turns by %.0f deg, spin %.0f", off/deg, e.spin)
	}
	bendsBy(&e, exactWrap(-90*deg-e.heading))
	goes(&e, 1.3)
	meet(&e, 0, 0, 0)
	bendsBy(&e, exactWrap(90*deg-e.heading))
	for i := 0; e.leg == 1 && i < 1000; i++ {
		goes(&e, 0.002)
		e.Wants(&View{Nose: 1})
	}
	if middle := (e.sides[1].far - e.sides[3].far) / 2; e.leg != 2 || math.Abs(e.y-middle) > 0.25 {
		t.Errorf("turns off at %.2f m to side %d, the middle is at %.2f", e.y, e.leg, middle)
	}
	bendsBy(&e, exactWrap(180*deg-e.heading))
	if e.Wants(&View{Nose: 0.1}); e.leg == 2 {
		t.Error("keeps to a way on which something stands")
	}
	checkLasts(t, &e)
}

// checkLasts drives on without edges over a table of which sides were met, and over one that
// has shown one edge.
func checkLasts(t *testing.T, e *Map) {
	goes(e, lastsOne+0.1)
	if _, ok := e.Wants(&View{Nose: 1}); !ok {
		t.Error("a table of which three sides were met is forgotten after 6 m without an edge")
	}
	goes(e, lastsMore-lastsOne)
	if _, ok := e.Wants(&View{Nose: 1}); ok {
		t.Error("a table after 25 m without an edge")
	}
	var one Map
	goes(&one, 0.5)
	meet(&one, 0, 0, 0)
	goes(&one, lastsOne+0.1)
	if _, ok := one.Wants(&View{Nose: 1}); ok {
		t.Error("one edge makes a table for more than 6 m")
	}
}

func exactWrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }

// known is a table of 1.4 x 1.4 m all of whose sides were met, on the way to side 0 from x.
func known(x, y float64) *Map {
	t := &Map{known: true, x: x, y: y}
	for i, at := range [4]float64{0.1, -0.2, -0.1, 0.2} {
		t.sides[i] = side{met: true, far: 0.7, at: at, low: at, high: at, ago: float64(1 + i)}
	}
	return t
}

// TestTurnsOffAtLane: the car leaves its way for the side that was not met for longest
// where that was first met, and goes on where the way begins past that: turning off there
// it would miss the lane, and begin anew.
func TestTurnsOffAtLane(t *testing.T) {
	early := known(-0.3, 0.1)
	early.Wants(&View{Nose: 1})
	if early.leg != 0 || early.crossed {
		t.Errorf("0.5 m before the lane: to side %d", early.leg)
	}
	there := known(0.2-crossAhead, 0.1)
	there.Wants(&View{Nose: 1})
	if there.leg != 3 {
		t.Errorf("at the lane: to side %d, want 3", there.leg)
	}
	past := known(0.45, 0.1)
	past.Wants(&View{Nose: 1})
	if past.leg != 0 || !past.crossed {
		t.Errorf("past the lane: to side %d, want the one ahead", past.leg)
	}
	if near := known(0, -0.3); near.opens(&View{}, 3) || !near.opens(&View{}, 1) {
		t.Error("0.4 m before a side there is no way into its lane, and before the one opposite there is")
	}
}

// TestSeesBeforeItTurns: of sides towards which something stands the car takes none,
// and prefers one that nobody knows beside one that is known.
func TestSeesBeforeItTurns(t *testing.T) {
	e := known(0, 0)
	e.sides[1].met, e.sides[2].met = false, false
	if r := e.rank(&View{}, 1); r != 4 {
		t.Errorf("rank %d of an unknown side beside a known one, want 4", r)
	}
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // a cup to the left
		g.Beam(ground.Pose{}, ground.Beam{Bearing: math.Pi / 2, Range: 0.3, HalfWidth: 0.1})
	}
	v := &View{Grid: g, Nose: 1}
	if free := v.free(e, 1); free >= legShut || v.free(e, 3) < legOpen {
		t.Errorf("free %.2f m to the left, %.2f to the right", free, v.free(e, 3))
	}
	if r := e.rank(v, 1); r != 0 {
		t.Errorf("rank %d of a side towards which something stands, want 0", r)
	}
	e.leg, e.crossed = 1, true
	if e.Wants(v); e.leg == 1 {
		t.Error("turns to a side towards which something stands")
	}
}

// TestPassesWhatStandsAside: a car whose nose points at a thing beside its way goes on
// where that way is known to be open; where it is not, where an edge was met, and with one beam,
// it leaves it.
func TestPassesWhatStandsAside(t *testing.T) {
	for _, c := range []struct {
		bearing float32 // rad, of the thing from the way
		seen    bool    // the floor along the way
		look    bool
		met     bool // an edge
		stays   bool
	}{
		{bearing: 0.6, seen: true, stays: true},
		{bearing: 0.6},
		{bearing: 0, seen: true},
		{bearing: 0.6, seen: true, met: true},
		{bearing: 0.6, seen: true, look: true},
	} {
		e := known(0, 0)
		if e.sides[1].met = c.met; !c.met {
			e.sides = [4]side{}
		}
		e.heading = 0.45 // askew to the left
		g, err := ground.New(ground.Default())
		if err != nil {
			t.Fatal(err)
		}
		g.Look(!c.look)
		at := ground.Pose{Heading: float32(e.heading)}
		g.Drive(at)
		for range 20 {
			if c.seen {
				g.Beam(at, ground.Beam{Bearing: -at.Heading, Range: 1, HalfWidth: 0.2})
			}
			g.Beam(at, ground.Beam{Bearing: c.bearing - at.Heading, Range: 0.24, HalfWidth: 0.1})
		}
		v := &View{Grid: g, At: at, Nose: 0.1, Look: c.look}
		if e.Wants(v); (e.leg == 0) != c.stays {
			t.Errorf("%+v: it goes to side %d, %.2f m are free towards the first", c, e.leg, v.free(e, 0))
		}
	}
}
