package table

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/steer"
)

// TestRetract: what the wheels turned in vain does not move the car over the table,
// wherever the odometry's frame lies to the table's, but its heading is doubted.
func TestRetract(t *testing.T) {
	const bend, way = 0.004, 0.0006 // rad, m a tick
	e := known(0.1, -0.2)
	e.heading, e.scale = 40*deg, 0.05
	before := *e
	from := ground.Pose{X: 3, Y: -1, Heading: 2}
	to, h := from, 2.0
	for range 250 {
		e.move(way, bend)
		to.X += float32(way * math.Cos(h+bend/2)) // the odometry knows of no scale
		to.Y += float32(way * math.Sin(h+bend/2))
		h += bend
	}
	to.Heading = float32(h)
	if math.Abs(e.heading-before.heading) < 1 {
		t.Fatal("it did not turn in vain")
	}
	e.Retract(from, to)
	if off := exactWrap(e.heading - before.heading); math.Abs(off) > 1e-6 {
		t.Errorf("heading %.2f deg off after it was taken back", off/deg)
	}
	if x, y := e.x-before.x, e.y-before.y; math.Hypot(x, y) > 0.005 { // of 0.15 m
		t.Errorf("place off by %.4f, %.4f m after it was taken back", x, y)
	}
	if grew := math.Sqrt(e.doubt-before.doubt) / deg; grew < 4 {
		t.Errorf("the heading's error grew by %.1f deg: what held the car may have turned it", grew)
	}
	if math.Abs(e.turned-before.turned) > 1e-6 || e.fromX != e.x || e.fromY != e.y {
		t.Errorf("it has turned by %.2f rad since the last meeting, last at %.2f, %.2f", e.turned, e.fromX, e.fromY)
	}
	for range 5000 {
		e.Retract(from, from)
	}
	if e.doubt > doubtMost {
		t.Errorf("the heading is doubted by %.0f rad2", e.doubt)
	}
	none := Map{}
	if none.Retract(from, to); none != (Map{}) {
		t.Error("a table that nobody knows was moved")
	}
}

// TestDoubtsItself: an edge that is met at an angle which no side of the table has is
// a corner that is cut off, unless the heading is known so badly that it may be wrong by
// as much: then it is put right.
func TestDoubtsItself(t *testing.T) {
	sure, unsure := known(0.4, 0.1), known(0.4, 0.1)
	for _, e := range []*Map{sure, unsure} {
		e.heading, e.driven = 35*deg, 1 // and meets side 0 square on
	}
	unsure.doubt = 20 * deg * 20 * deg
	meet(sure, 0, 0, 0)
	meet(unsure, 0, 0, 0)
	if got := sure.heading / deg; math.Abs(got-35) > 0.1 {
		t.Errorf("sure of its heading, 35 deg, it has %.0f after a corner", got)
	}
	if got := math.Abs(unsure.heading) / deg; got > 5 {
		t.Errorf("unsure of its heading, it is wrong by %.0f deg after an edge met square on", got)
	}
}

// TestLanes: a side is met where it was met before, between those places and, where
// the sides beside it are known, wherever it is half a metre from them; a lane does not
// creep away from where it was first.
func TestLanes(t *testing.T) {
	e := known(0, -0.1)
	e.sides[1].met, e.sides[3].met = false, false
	if lane := e.lane(); math.Abs(lane-(0.1-laneMore+0.1)) > 1e-9 {
		t.Errorf("%.3f m to a lane first met 0.2 m to the left", lane)
	}
	e.sides[0].low = -0.02
	if lane := e.lane(); math.Abs(lane-(-0.02-laneMore+0.1)) > 1e-9 {
		t.Errorf("%.3f m to a lane that was met 0.08 m to the left, too", lane)
	}
	e.sides[3] = side{met: true, far: 0.75} // the right one
	if lane := e.lane(); lane != 0 {
		t.Errorf("%.3f m to the lane where the side to the right is 0.65 m away, and it was met to the left", lane)
	}
	e.spread[1] = 0.16 * 0.16
	if lane := e.lane(); lane <= 0 {
		t.Error("it relies on a side to the right although it does not know where it is to it")
	}
	for _, at := range []float64{0.2, 0.5} { // where the axle is beside where it was first
		w := known(0.45, at)
		first := w.sides[0].at
		meet(w, 0, 0, 0)
		if grew := w.sides[0].high > first; grew != (at-first < laneWide) {
			t.Errorf("met %.2f m beside where it was first, the lane goes to %.2f", at-first, w.sides[0].high)
		}
	}
}

// TestGoesBackToALane: a lane to a side beside the car that it has passed is behind it.
func TestGoesBackToALane(t *testing.T) {
	for _, tt := range []struct {
		leg  int
		x    float64
		want float64 // m
	}{{1, 0.1, 0.27}, {1, -0.4, 0}, {3, 0.4, 0.17}, {3, 0.1, 0}} {
		e := known(tt.x, 0)
		e.sides[1].at, e.sides[3].at = 0.2, 0.2 // at x = -0.2, and at 0.2
		for _, s := range []*side{&e.sides[1], &e.sides[3]} {
			s.low, s.high = s.at, s.at
		}
		e.sides[0].met, e.sides[2].met = false, false
		e.leg = tt.leg
		if got := e.Back(); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%.2f m back to the lane of side %d from %.1f, want %.2f", got, tt.leg, tt.x, tt.want)
		}
	}
}

// TestTriesAnother: where things stand in the way the car goes to no side from which it
// turned away, until it has met one, and of two beside it to the one that it met earlier.
func TestTriesAnother(t *testing.T) {
	e := known(0, 0)
	e.detour(&View{})
	if e.leg != 3 || !e.vain[0] { // 4 m ago, side 1 was 2
		t.Fatalf("to side %d (%v), want 3, which it met before side 1", e.leg, e.vain)
	}
	if e.vain != [4]bool{true} {
		t.Errorf("%v are in vain after one detour", e.vain)
	}
	if e.opens(&View{}, 0) || e.rank(&View{}, 0) != 1 {
		t.Error("the side from which it turned away is as good as before")
	}
	for seen, n := [4]bool{}, 0; seen != [4]bool{true, true, true, true}; n++ {
		if e.detour(&View{}); n == 12 {
			t.Fatalf("it only goes to and fro between some sides: %v", seen)
		}
		seen[e.leg] = true
	}
	e.heading, e.leg = -90*deg, 3
	goes(e, 0.5)
	meet(e, 0, 0, 0)
	if e.vain != [4]bool{} {
		t.Errorf("a side was met, and %v are in vain", e.vain)
	}
}

// TestAnchored: one side alone is believed beyond six metres only where five beams hear
// walls that say where it is, and no farther beside where it was met than sideReach.
func TestAnchored(t *testing.T) {
	for _, c := range []struct {
		name         string
		five         bool
		spread, turn float64 // after it has driven on
		lasts        float64
	}{
		{"walls heard with five beams", true, 0.0005, 0, lastsMore},
		{"one beam", false, 0.0005, 0, lastsOne},
		{"no wall along its direction", true, 0.006, 0, lastsOne},
		{"no wall since it turned", true, 0.0005, 90 * deg, lastsOne},
	} {
		e := Map{known: true, five: c.five}
		e.sides[0] = side{met: true, far: 0.7}
		e.way, e.spread[0], e.turned = lastsOne+0.1, c.spread, c.turn
		if got := e.lasts(); got != c.lasts {
			t.Errorf("%s: it lasts %.0f m without an edge, want %.0f", c.name, got, c.lasts)
		}
		var b [4]steer.FloorEdge
		if n := e.FloorEdges(&b, true); n != 1 || b[0].Low != -sideReach || b[0].High != sideReach {
			t.Errorf("%s: %d floor edges from %.1f to %.1f m, want one as far as it is believed", c.name, n, b[0].Low, b[0].High)
		}
		e.way = 1
		if e.FloorEdges(&b, true); b[0].Low != b[0].High {
			t.Errorf("%s: a side just met ends after %.1f m", c.name, b[0].High)
		}
	}
}
