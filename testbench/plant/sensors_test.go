package plant_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

func wallAt(x float64) *world.World {
	return &world.World{Walls: []world.Segment{{A: world.Vec{X: x, Y: -5}, B: world.Vec{X: x, Y: 5}}}}
}

func TestSonarGeometry(t *testing.T) {
	p := steady()
	tests := []struct {
		name, why string
		world     *world.World
		heading   float64
		sonar     int
		want      float64
	}{
		{"square on", "1 m less the mount", wallAt(1), 0, 0, 1 - p.SonarAhead},
		{"slanted by 10 deg", "a ray of the cone is near the perpendicular: 8 deg left and 10 deg off", wallAt(1), 10 * deg, 0, (1 - p.SonarAhead*math.Cos(10*deg)) / math.Cos(2*deg)},
		{"slanted by 40 deg", "the cone's edge at 28 deg is nearest", wallAt(1), 40 * deg, 0, (1 - p.SonarAhead*math.Cos(40*deg)) / math.Cos(28*deg)},
		{"left beam", "30 deg to the left of the heading, less 12 of the cone", wallAt(1), 0, 1, (1 - p.SonarAhead) / math.Cos(18*deg)},
		{"right beam", "the mirror image", wallAt(1), 0, 2, (1 - p.SonarAhead) / math.Cos(18*deg)},
		{"blind zone", "nothing nearer than 2 cm is measured", wallAt(0.115), 0, 0, 0.02},
		{"too far", "4 m is the end", wallAt(4.2), 0, 0, -1},
		{"nothing", "an empty world", &world.World{}, 0, 0, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCar(t, p, tt.world, plant.Pose{Heading: tt.heading})
			got, ok := c.Range(tt.sonar, 0)
			if !ok {
				got = -1
			}
			if math.Abs(got-tt.want) > 1e-6 { // the sectors are float32
				t.Errorf("range %v, want %v: %s", got, tt.want, tt.why)
			}
		})
	}
}

func TestSpecularWallSendsNothingBack(t *testing.T) {
	p := steady()
	p.Specular = 30 * deg
	c := newCar(t, p, wallAt(1), plant.Pose{Heading: 60 * deg})
	if d, ok := c.Range(0, 0); ok {
		t.Errorf("a smooth wall at 48 deg or more echoed from %v m", d)
	}
	c = newCar(t, p, wallAt(1), plant.Pose{Heading: 20 * deg})
	if _, ok := c.Range(0, 0); !ok {
		t.Error("a smooth wall at 20 deg did not echo")
	}
}

func TestRangeStatistics(t *testing.T) {
	p := plant.Default()
	p.Multipath = 0.1
	c := newCar(t, p, wallAt(1.11), plant.Pose{})
	const n = 50_000
	var sum, squares float64
	lost, long, good := 0, 0, 0
	for range n {
		d, ok := c.Range(0, 0)
		switch {
		case !ok:
			lost++
		case d > 1.2:
			long++
		default:
			good++
			sum += d
			squares += d * d
		}
	}
	mean := sum / float64(good)
	deviation := math.Sqrt(squares/float64(good) - mean*mean)
	if math.Abs(mean-1) > 4*0.01/math.Sqrt(n) {
		t.Errorf("mean %v m, want 1", mean)
	}
	if math.Abs(deviation-0.01) > 0.0002 {
		t.Errorf("deviation %v m, want 1 %%", deviation)
	}
	if share := float64(lost) / n; math.Abs(share-0.02) > 0.003 {
		t.Errorf("%.4f lost, want 0.02", share)
	}
	if share := float64(long) / n; math.Abs(share-0.1*0.98) > 0.006 {
		t.Errorf("%.4f took a detour, want 0.098", share)
	}
}

func TestFloorSensors(t *testing.T) {
	w := &world.World{Floor: world.Floor{
		Background: 1400, Tape: 300, Void: 60,
		Lines: []world.Line{{Width: 0.025, Points: []world.Vec{{X: -1, Y: 0.02}, {X: 2, Y: 0.02}}}},
	}}
	c := newCar(t, steady(), w, plant.Pose{})
	for sensor, want := range []uint16{300, 1400, 1400} { // the line lies 20 mm to the left
		if got := c.Analog(sensor, 0); got != want {
			t.Errorf("sensor %d reads %d, want %d", sensor, got, want)
		}
	}
	if got := c.Analog(3, 0); got != 0 {
		t.Errorf("an open channel reads %d", got)
	}
}

func TestFloorStatistics(t *testing.T) {
	p := plant.Default()
	p.FloorSpread = 0
	c := newCar(t, p, &world.World{Floor: world.Floor{Background: 1400}}, plant.Pose{})
	const n = 20_000
	var sum, squares float64
	for range n {
		x := float64(c.Analog(robot.FloorMiddle, 0))
		sum, squares = sum+x, squares+x*x
	}
	mean := sum / n
	if math.Abs(mean-1400) > 1 {
		t.Errorf("mean %v, want 1400", mean)
	}
	if d := math.Sqrt(squares/n - mean*mean); math.Abs(d-30) > 0.7 {
		t.Errorf("deviation %v counts, want 30", d)
	}
}

func TestFloorSensorsDiffer(t *testing.T) {
	p := plant.Default()
	p.FloorNoise = 0
	w := &world.World{Floor: world.Floor{Background: 1400}}
	c := newCar(t, p, w, plant.Pose{})
	if c.Analog(0, 0) == c.Analog(1, 0) && c.Analog(1, 0) == c.Analog(2, 0) {
		t.Error("all three sensors have the same gain")
	}
}

func TestBeacon(t *testing.T) {
	w := &world.World{Goal: world.Vec{X: 0.05, Y: 2}, HasGoal: true}
	c := newCar(t, steady(), w, plant.Pose{Heading: 30 * deg})
	// The body's centre is 5 cm ahead of the axle, along the heading.
	b := c.Body().Centre
	want := math.Atan2(2-b.Y, 0.05-b.X) - 30*deg
	var target robot.Target
	c.Beacon(5*time.Second, &target)
	if got := float64(target.Bearing.Value); !target.Bearing.OK || math.Abs(got-want) > 1e-6 || target.Bearing.At != 5*time.Second {
		t.Errorf("bearing %+v, want %v", target.Bearing, want)
	}
	p := steady()
	p.BeaconField = 50 * deg
	c = newCar(t, p, w, plant.Pose{Heading: -30 * deg})
	c.Beacon(0, &target)
	if target.Bearing.OK {
		t.Error("a beacon outside the field of view was seen")
	}
}

// A surface of its own decides what comes back, whatever the car's beams would hear.
func TestSurfaces(t *testing.T) {
	p := steady()
	wall := func(s *world.Surface) *world.World {
		w := wallAt(1)
		w.Walls[0].Surface = s
		return w
	}
	// heard is the share of pings that echo, the car's heading given.
	heard := func(s *world.Surface, heading float64) float64 {
		c := newCar(t, p, wall(s), plant.Pose{Heading: heading})
		const n = 20_000
		count := 0
		for range n {
			if _, ok := c.Range(0, 0); ok {
				count++
			}
		}
		return float64(count) / n
	}
	for _, tt := range []struct {
		name    string
		surface *world.Surface
		heading float64
		want    float64
	}{
		{"hard", nil, 0, 1},
		{"hard, slanted", nil, 60 * deg, 1},
		{"a curtain", &world.Surface{Lost: 0.7}, 0, 0.3},
		{"a pillow too far away", &world.Surface{Within: 0.8}, 0, 0},
		{"a pillow near by", &world.Surface{Within: 0.9}, 0, 1},
		{"a pane square on", &world.Surface{Specular: 30 * deg}, 0, 1},
		{"a pane slanted", &world.Surface{Specular: 30 * deg}, 60 * deg, 0},
		{"all that is lost", &world.Surface{Lost: 1}, 0, 0},
	} {
		if got := heard(tt.surface, tt.heading); math.Abs(got-tt.want) > 0.015 { // four standard errors
			t.Errorf("%s: %.3f of the pings echo, want %.3f", tt.name, got, tt.want)
		}
	}
	c := newCar(t, p, wall(&world.Surface{Lost: 1}), plant.Pose{})
	if got := c.Hear(0); math.Abs(got-(1-p.SonarAhead)) > 1e-9 {
		t.Errorf("Hear says %v m, chance has no part in it", got)
	}
}

// Behind an echo that is lost, the beam hears what else is in its cone.
func TestLostEchoLetsTheNextBeHeard(t *testing.T) {
	p := steady()
	w := wallAt(1)
	w.Discs = []world.Disc{{Centre: world.Vec{X: 0.5, Y: 0.05}, Radius: 0.02, Surface: &world.Surface{Lost: 1}}}
	c := newCar(t, p, w, plant.Pose{})
	if got, ok := c.Range(0, 0); !ok || math.Abs(got-(1-p.SonarAhead)) > 1e-6 {
		t.Errorf("heard %v, %v; want the wall behind the soft disc", got, ok)
	}
}
