package table

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// hears is what a beam with a cone of 12 deg to both sides hears in a room of 3.4 x 2.8 m, of a
// car whose rear axle is at a place that counts from the room's middle.
func hears(x, y, heading, beam float64) ground.Beam {
	const cone, lead = 12 * deg, 0.11
	x, y = x+lead*math.Cos(heading), y+lead*math.Sin(heading)
	least := math.Inf(1)
	for i := -6; i <= 6; i++ {
		s, c := math.Sincos(heading + beam + float64(i)/6*cone)
		for _, d := range []float64{(1.7 - x) / c, (-1.7 - x) / c, (1.4 - y) / s, (-1.4 - y) / s} {
			if d > 0 {
				least = math.Min(least, d)
			}
		}
	}
	return ground.Beam{Bearing: float32(beam), HalfWidth: float32(cone), Lead: lead, Range: float32(least)}
}

// TestWallsPlace: a car that reckons 5 % too much way is put right by walls that it has
// heard before.
func TestWallsPlace(t *testing.T) {
	var e Map
	x, heading := -0.5, 0.1
	const step = 0.002
	for i := range 500 {
		for _, b := range []float64{0, 30, -30, 60, -60} {
			beam := hears(x, 0, heading, b*deg)
			e.Hear(&beam, 0, false)
		}
		if !e.known {
			e.Face(heading, false)
		}
		if i == 100 { // it is told where the sides are
			for q, far := range [4]float64{1.2, 0.6, 0.4, 0.6} {
				e.sides[q] = side{met: true, far: far}
			}
		}
		x += step * math.Cos(heading)
		e.move(step*1.05, 0)
	}
	if miss := e.x - (x + 0.5); math.Abs(miss) > 0.03 || math.Abs(e.heading-heading) > 2*deg {
		t.Errorf("it is %.3f m and %.1f deg off; reckoned it would be 0.05 m", miss, (e.heading-heading)/deg)
	}
}

// TestFaceWaits: a compass makes the frame at once where five beams hear the walls, and where
// one does when it has been turned.
func TestFaceWaits(t *testing.T) {
	var five, one Map
	five.Face(0.2, false)
	one.Face(0.2, true)
	if !five.known || one.known {
		t.Errorf("before a turn: five beams know the frame %v, one %v; want true and false", five.known, one.known)
	}
	bendsBy(&one, lookTurn+deg)
	if one.Face(0.3, true); !one.known || one.heading != 0.3 {
		t.Errorf("turned by 111 deg: one beam knows the frame %v, heading %.2f", one.known, one.heading)
	}
}
