package walls_test

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/walls"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

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
func hears(c *walls.Compass, x, y, heading, beam, tilt float64) ground.Beam {
	const lead = 0.11
	fx, fy := x+lead*math.Cos(heading-tilt), y+lead*math.Sin(heading-tilt)
	b := ground.Beam{Bearing: float32(beam), HalfWidth: float32(12 * deg), Lead: lead, Range: float32(room(fx, fy, heading+beam, tilt))}
	sin, cos := math.Sincos(tilt)
	c.Hear(ground.Pose{X: float32(x*cos - y*sin), Y: float32(x*sin + y*cos), Heading: float32(heading)}, &b)
	return b
}

// TestCompass: five beams tell mostly at once how the walls stand, and one beam when it
// has been turned, not before; neither is sure and wrong.
func TestCompass(t *testing.T) {
	places, five, one := 0, 0, 0
	for _, tilt := range []float64{0, 20 * deg, 70 * deg} {
		for heading := -3.0; heading < 3; heading += 0.37 {
			places++
			var c, d walls.Compass
			judge := func(c *walls.Compass, heading float64) bool {
				off, sure := c.Off(heading)
				if miss := exact.WrapQuarter(off - (heading - tilt)); sure && math.Abs(miss) > 6*deg {
					t.Errorf("walls at %.0f, heading %.0f deg: sure, and %.1f deg off", tilt/deg, heading/deg, miss/deg)
				}
				return sure
			}
			for _, b := range []float64{0, 30, -30, 60, -60} {
				hears(&c, 0.2, -0.1, heading, b*deg, tilt)
			}
			if judge(&c, heading) {
				five++
			}
			for turn := 0.0; turn < 110; turn += 4 {
				hears(&d, 0.2, -0.1, heading+turn*deg, 0, tilt)
				if _, sure := d.Off(heading + turn*deg); turn < 40 && sure {
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

// TestForgets: echoes count for 0.6 m of way, and none when they are forgotten; silence is none.
func TestForgets(t *testing.T) {
	const heading = 0.5 // rad
	fresh := func() *walls.Compass {
		c := new(walls.Compass)
		for _, b := range []float64{0, 30, -30, 60, -60} {
			hears(c, 0.2, -0.1, heading, b*deg, 0)
		}
		if _, sure := c.Off(0); !sure {
			t.Fatal("five beams tell nothing")
		}
		return c
	}
	c := fresh()
	for range 70 {
		c.Update(-0.01)
	}
	c.Hear(ground.Pose{}, &ground.Beam{Beyond: true, Range: 1})
	if _, sure := c.Off(0); !sure {
		t.Error("silence is an echo")
	}
	hears(c, 0.2, -0.1, heading, 0, 0)
	if _, sure := c.Off(0); sure {
		t.Error("one echo, and five of 0.7 m ago")
	}
	c = fresh()
	c.Forget()
	if _, sure := c.Off(0); sure {
		t.Error("the walls are known that were forgotten")
	}
}
