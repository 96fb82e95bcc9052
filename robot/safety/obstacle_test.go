package safety_test

import (
	"math/bits"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestStoppingDistance is R2's table: the range at which a speed stops.
func TestStoppingDistance(t *testing.T) {
	tests := []struct {
		name  string
		speed float32
		away  float32
		stop  bool
	}{
		{"slow, at 11 cm", 0.10, 0.11, false},
		{"slow, below 10 cm", 0.10, 0.098, true},
		{"full, at 14 cm", 0.35, 0.14, false}, // d = 0.0525 + 0.0408 + 0.04 = 0.133
		{"full, at 13 cm", 0.35, 0.13, true},
		{"reverse, at 3 cm", -0.2, 0.03, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.want.Speed = tt.speed
			g.run(120)
			g.distance = tt.away
			g.run(16)
			if got := g.out.Speed == 0; got != tt.stop {
				t.Errorf("%v m/s at %v m (%v), want stop %v", g.out.Speed, tt.away, g.c, tt.stop)
			}
			if tt.stop && !g.out.Brake {
				t.Error("stops on a ramp")
			}
		})
	}
}

// TestObstacleSpeedSource: the stopping distance follows whichever of told,
// sensed and wanted speed is the largest.
func TestObstacleSpeedSource(t *testing.T) {
	g := newRig(t, nil)
	g.distance = 0.125
	g.run(16)
	if g.c != 0 {
		t.Fatalf("0.2 m/s at 12.5 cm: %v", g.c)
	}
	g.s.Speed = robot.Reading{Value: 0.6, At: g.s.Now, OK: true} // downhill
	g.run(1)
	if !g.c.Has(safety.Obstacle) {
		t.Error("rolls at 0.6 m/s towards 12.5 cm")
	}
}

func TestRefuseAndRelease(t *testing.T) {
	g := newRig(t, nil)
	steps := []struct {
		distance float32
		want     bool
		why      string
	}{
		{0.05, true, "below 6 cm forward is refused"},
		{0.08, true, "until above 12 cm"},
		{0.115, true, "until above 12 cm"},
		{0.13, false, "above 12 cm"},
		{0.115, false, "and then only the stopping distance counts"},
	}
	g.want.Speed = 0.05
	for _, step := range steps {
		g.distance = step.distance
		g.run(16)
		if got := g.c.Has(safety.Obstacle); got != step.want {
			t.Errorf("at %v m: obstacle %v, want %v: %s", step.distance, got, step.want, step.why)
		}
	}
	g.distance = 0.05
	g.run(16)
	g.want.Speed = -0.2
	g.run(60)
	if g.out.Speed != -0.2 {
		t.Errorf("backs away at %v m/s, want -0.2", g.out.Speed)
	}
}

// TestObstacleDoesNotFlicker: with a noisy range at the very threshold the
// car stops once.
func TestObstacleDoesNotFlicker(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed, g.distance = 0.35, 0.1333
	g.run(2000)
	if n := g.r.Status().Stats.Trips[bits.TrailingZeros32(uint32(safety.Obstacle))]; n != 1 {
		t.Errorf("obstacle began %d times, want once", n)
	}
}

// TestApproach drives the plant of C.1 at a wall from every phase of the
// sonar's cycle: the sensor's face, 30 mm behind the bumper, keeps 40 mm.
func TestApproach(t *testing.T) {
	for offset := range 8 {
		g := newRig(t, nil)
		g.run(offset)
		g.want.Speed = 0.35
		v, x := float32(0.2), float32(1.2)
		for range 2000 {
			g.distance = x
			g.tick()
			for range 5 {
				v += (g.out.Speed - v) * 0.001 / 0.12
				x -= v * 0.001
			}
		}
		if x < 0.04 || x > 0.14 {
			t.Errorf("offset %d: ends %.0f mm before the wall", offset, 1000*x)
		}
	}
}

// TestR3MissingRange: a missing echo slows and then stops the car, by the age
// of the last valid reading, and is never a short distance.
func TestR3MissingRange(t *testing.T) {
	spoil := map[string]func(*rig){
		"no echo":          func(g *rig) { g.mute = true },
		"beyond the span":  func(g *rig) { g.distance = 5 },
		"shorter than any": func(g *rig) { g.distance = 0.01 },
		"negative":         func(g *rig) { g.distance = -2 },
	}
	for name, lose := range spoil {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, nil)
			g.until(50*ms, func() bool { return g.s.Now%(40*ms) == 0 })
			lose(g)
			took := g.until(time.Second, func() bool { return g.c != 0 })
			if g.c != safety.RangeStale || took < 250*ms || took > 260*ms {
				t.Errorf("%v after %v, want a stale range after 250 ms", g.c, took)
			}
			if g.out.Speed != 0.1 {
				t.Errorf("creeps at %v m/s, want 0.1", g.out.Speed)
			}
			took += g.until(time.Second, func() bool { return g.c.Has(safety.RangeLost) })
			if g.out.Speed != 0 || took < time.Second || took > time.Second+10*ms {
				t.Errorf("%v m/s after %v, want a stop after 1 s", g.out.Speed, took)
			}
			g.mute, g.distance = false, 2
			g.run(100)
			if g.out.Speed != 0.2 || g.c != 0 {
				t.Errorf("with an echo again: %v m/s, %v", g.out.Speed, g.c)
			}
		})
	}
}

// TestOldRangeComesCloser: a wall that stood 20 cm away 200 ms ago may be
// nearer now.
func TestOldRangeComesCloser(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed = 0.35
	g.run(60)
	g.until(50*ms, func() bool { return g.s.Now%(40*ms) == 0 })
	g.distance = 0.145
	g.run(8)
	if g.c != 0 {
		t.Fatalf("0.35 m/s at 14.5 cm: %v", g.c)
	}
	g.mute = true
	took := g.until(250*ms, func() bool { return g.out.Speed == 0 })
	if !g.c.Has(safety.Obstacle) || took < 150*ms {
		t.Errorf("%v after %v, want an obstacle once the reading is older than 150 ms", g.c, took)
	}
}

// TestSensorFaults are the kinds of fault that R3 must tell apart on the front
// range. A range that is merely wrong looks like any other, and R3 does not
// notice it; off, stuck and garbage have tests of their own.
func TestSensorFaults(t *testing.T) {
	tests := []struct {
		name, why string
		every     time.Duration // between readings
		late      time.Duration // from stamp to delivery
		want      safety.Causes
	}{
		{"slow", "between two readings the way ahead is unknown", 400 * ms, 0, safety.RangeStale},
		{"delayed", "the stamp counts, not the delivery", 40 * ms, 300 * ms, safety.RangeStale},
		{"very late", "a second is for ever", 40 * ms, 1100 * ms, safety.RangeLost},
		{"intermittent", "four of five missing still come in time", 200 * ms, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.mute = true
			var met safety.Causes
			for range 600 {
				if g.s.Now%tt.every == 0 {
					g.s.Range[robot.Front] = robot.Reading{Value: g.distance * g.jitter(), At: g.s.Now - tt.late, OK: true}
				}
				g.tick()
				met |= g.c
			}
			if met != tt.want {
				t.Errorf("met %v, want %v", met, tt.want)
			}
		})
	}
}

// TestReversalAtObstacle: the ramp from forward to reverse may not pass through
// forward while R2 refuses forward.
func TestReversalAtObstacle(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed = -0.2
	g.distance = 0.05
	g.until(50*ms, func() bool { return g.c.Has(safety.Obstacle) })
	if g.out.Speed > 0 || !g.out.Brake {
		t.Errorf("still forward at %v m/s", g.out.Speed)
	}
	g.run(40)
	if g.out.Speed != -0.2 {
		t.Errorf("backs away at %v m/s, want -0.2", g.out.Speed)
	}
}

// TestSilence: nothing heard up to a distance is a way as free as the distance
// says. Where something was near just now the car creeps; a sonar that does not
// answer stops it as ever.
func TestSilence(t *testing.T) {
	tests := []struct {
		name    string
		reading robot.Reading
		causes  safety.Causes
		most    float32 // m/s
	}{
		{"nothing up to 1.5 m", robot.Reading{Value: 1.5, OK: true, AtLeast: true}, 0, 0.2},
		{"nothing up to 0.6 m", robot.Reading{Value: 0.6, OK: true, AtLeast: true}, 0, 0.2},
		{"something fell silent at 0.5 m", robot.Reading{Value: 0.55, OK: true, AtLeast: true}, safety.RangeStale, 0.1},
		{"something fell silent at 8 cm", robot.Reading{Value: 0.09, OK: true, AtLeast: true}, safety.RangeStale | safety.Obstacle, 0},
		{"no answer", robot.Reading{Value: 1.5, AtLeast: true}, safety.RangeLost, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.hear = &tt.reading
			g.run(300)
			if g.c != tt.causes || g.out.Speed > tt.most || tt.most > 0 && g.out.Speed < tt.most-1e-3 {
				t.Errorf("%v at %v m/s, want %v at %v", g.c, g.out.Speed, tt.causes, tt.most)
			}
		})
	}
}

// TestDeadSonarStops: after silence, which it takes for a free way, a car whose
// sonar dies creeps and stands in R3's time.
func TestDeadSonarStops(t *testing.T) {
	g := newRig(t, nil)
	g.hear = &robot.Reading{Value: 1.5, OK: true, AtLeast: true}
	g.run(400)
	g.hear = &robot.Reading{Value: 1.5}
	slow := g.until(time.Second, func() bool { return g.c.Has(safety.RangeStale) })
	stop := slow + g.until(2*time.Second, func() bool { return g.c.Has(safety.RangeLost) && g.out.Speed == 0 })
	if slow > g.p.Range.Stale+10*ms || stop > g.p.Range.Lost+10*ms {
		t.Errorf("creeps after %v, stands after %v; want %v and %v", slow, stop, g.p.Range.Stale, g.p.Range.Lost)
	}
}

// TestSlowSonar: silence that a sonar takes 200 ms to tell is fresh until the next one is
// due. Every other reading is stale after Range.Stale, and so is a slow sonar's as soon
// as a ping has no answer.
func TestSlowSonar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		takes time.Duration // from a silence's instant to its telling
		end   string        // what follows ten of them
		limit time.Duration // age at which the car creeps then
	}{
		{"ordinary", 14 * ms, "nothing", 250 * ms},
		{"130 ms", 106 * ms, "nothing", 250 * ms},
		{"150 ms", 126 * ms, "nothing", 352 * ms},
		{"200 ms", 176 * ms, "nothing", 450 * ms},
		{"200 ms, then no answer", 176 * ms, "no answer", 250 * ms},
		{"200 ms, then an echo", 176 * ms, "echo", 250 * ms},
		{"200 ms, then one of 38 ms", 176 * ms, "quick", 250 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			front := robot.Reading{Value: 1.5, OK: true, AtLeast: true}
			period := tt.takes + 30*ms
			g.deaf = true
			for i := range 10 {
				front.ReportedAt = g.s.Now
				front.At = front.ReportedAt - tt.takes
				g.s.Range[robot.Front] = front
				if i == 9 {
					period = 40 * ms // then comes the end
				}
				g.run(int(period / g.p.Period))
				if g.c != 0 && i > 1 && g.s.Now-front.At <= tt.limit {
					t.Fatalf("silence %d of a sonar that is as fast as it can be: %v", i, g.c)
				}
			}
			switch tt.end {
			case "no answer":
				front.OK, front.AtLeast = false, false
			case "echo":
				front = robot.Reading{Value: 1.5, At: g.s.Now, OK: true}
			case "quick":
				front.ReportedAt = g.s.Now
				front.At = front.ReportedAt - 14*ms
			}
			g.s.Range[robot.Front] = front
			for !g.c.Has(safety.RangeStale) {
				g.tick()
			}
			if got := g.s.Now - front.At; got <= tt.limit || got > tt.limit+g.p.Period {
				t.Errorf("creeps at an age of %v, want just above %v", got, tt.limit)
			}
			for !g.c.Has(safety.RangeLost) {
				g.tick()
			}
			if got := g.s.Now - front.At; got > g.p.Range.Lost+g.p.Period {
				t.Errorf("stands at an age of %v, want just above %v", got, g.p.Range.Lost)
			}
		})
	}
}
