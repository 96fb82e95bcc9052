package brain

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// room is the range that a beam of 12 deg hears in a room of 3.4 x 2.8 m whose walls
// stand tilt rad off the odometry's frame, from a place in the room's own frame.
func room(x, y, bear, tilt float64) float64 {
	const cone = 12 * deg
	least := math.Inf(1)
	for i := -6; i <= 6; i++ {
		c, s := math.Cos(bear-tilt+float64(i)/6*cone), math.Sin(bear-tilt+float64(i)/6*cone)
		for _, d := range []float64{(1.7 - x) / c, (-1.7 - x) / c, (1.4 - y) / s, (-1.4 - y) / s} {
			if d > 0 {
				least = math.Min(least, d)
			}
		}
	}
	return least
}

// hears lets a compass hear a beam of a car that stands at a place of the room.
func hears(c *compass, x, y, heading, beam, tilt float64) ground.Beam {
	const lead = 0.11
	fx, fy := x+lead*math.Cos(heading-tilt), y+lead*math.Sin(heading-tilt)
	b := ground.Beam{Bearing: float32(beam), HalfWidth: float32(12 * deg), Lead: lead, Range: float32(room(fx, fy, heading+beam, tilt))}
	sin, cos := math.Sincos(tilt)
	c.hear(ground.Pose{X: float32(x*cos - y*sin), Y: float32(x*sin + y*cos), Heading: float32(heading)}, &b)
	return b
}

// TestCompass: five beams tell mostly at once how the walls stand, and one beam when it
// has been turned, not before; neither is sure and wrong.
func TestCompass(t *testing.T) {
	places, five, one := 0, 0, 0
	for _, tilt := range []float64{0, 20 * deg, 70 * deg} {
		for heading := -3.0; heading < 3; heading += 0.37 {
			places++
			var c, d compass
			judge := func(c *compass, heading float64) bool {
				if miss := exact.WrapQuarter(c.off(heading) - (heading - tilt)); c.sure && math.Abs(miss) > 6*deg {
					t.Errorf("walls at %.0f, heading %.0f deg: sure, and %.1f deg off", tilt/deg, heading/deg, miss/deg)
				}
				return c.sure
			}
			for _, b := range []float64{0, 30, -30, 60, -60} {
				hears(&c, 0.2, -0.1, heading, b*deg, tilt)
			}
			if judge(&c, heading) {
				five++
			}
			for turn := 0.0; turn < 110; turn += 4 {
				hears(&d, 0.2, -0.1, heading+turn*deg, 0, tilt)
				if turn < 40 && d.sure {
					t.Errorf("one beam is sure after %.0f deg", turn)
				}
			}
			if judge(&d, heading) {
				one++
			}
		}
	}
	if five < places*3/4 || one < places*3/4 {
		t.Errorf("of %d places five beams are sure in %d, one in %d: want three quarters", places, five, one)
	}
}

// TestWallsPlace: a car that reckons 5 % too much way is put right by walls that it has
// heard before.
func TestWallsPlace(t *testing.T) {
	var c compass
	var e table
	x, heading := -0.5, 0.1
	const step = 0.002
	for i := range 500 {
		for _, b := range []float64{0, 30, -30, 60, -60} {
			beam := hears(&c, x, 0, heading, b*deg, 0)
			e.hear(&beam, 0, false)
		}
		if !e.known {
			e.face(exact.WrapQuarter(heading), false)
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
