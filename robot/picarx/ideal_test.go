package picarx_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// TestIdeal: an Ideal ramps, rests between two directions, ends a lease and keeps the
// inner wheel slower, as TestMotorsFollow wants it of a Car.
func TestIdeal(t *testing.T) {
	i, err := picarx.NewIdeal(picarx.Default())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	drive := func(c robot.Command, length time.Duration) (p picarx.Pins) {
		for end := now + length; now < end; {
			now += 5 * time.Millisecond
			c.At = now
			p = i.Step(now, c)
		}
		return p
	}
	const duty = 2535.0 / 4096
	if p := drive(forward, time.Second); p.Left != duty || p.Right != duty || math.Abs(p.Pulse-1500e-6) > 5e-6 {
		t.Errorf("forward: %+v", p)
	}
	if wheel, steering := i.Told(); wheel != 0.2 || steering != 0 {
		t.Errorf("told %v m/s, %v rad", wheel, steering)
	}
	left := forward
	left.Steering = 0.3
	if p := drive(left, time.Second); !(p.Left < duty && p.Right > duty && p.Pulse < 1450e-6) {
		t.Errorf("to the left: %+v", p)
	}
	back := robot.Command{Speed: -0.2, Enable: true}
	if p := drive(back, 155*time.Millisecond); p.Left != 0 || p.Right != 0 { // the ramp takes 143 ms
		t.Errorf("it does not rest before it turns round: %+v", p)
	}
	if p := drive(back, time.Second); p.Left != -duty || p.Right != -duty {
		t.Errorf("backward: %+v", p)
	}
	nan := forward
	nan.Speed = float32(math.NaN())
	if p := drive(nan, 100*time.Millisecond); p.Left != -duty {
		t.Errorf("a command that is no number: %+v", p)
	}
	if p := drive(nan, 3*time.Second); p.Left != 0 || p.Right != 0 {
		t.Errorf("nobody has driven for 3 s: %+v", p)
	}
	i.Reset(now)
	if p := i.Step(now, robot.Command{At: now}); p.Left != 0 || p.Right != 0 {
		t.Errorf("after a reset: %+v", p)
	}
	broken := picarx.Default()
	broken.Cal.Body.TopSpeed = math.NaN()
	if _, err := picarx.NewIdeal(broken); err == nil {
		t.Error("settings that are wrong make an Ideal")
	}
}
