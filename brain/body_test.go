package brain

import (
	"testing"
	"time"

	"fieldbrain/brain/steer"
	"fieldbrain/robot"
)

// TestServoAndLock: dead reckoning, both planners and the law take the servo's rate and the lock from
// the body.
func TestServoAndLock(t *testing.T) {
	p := Default()
	p.ServoRate, p.Safety.Limits.Steering, p.Planner = 2, 0.3, PlannerRollout
	if w := p.imagined(); w.ServoRate != 2 || w.Lock != 0.3 {
		t.Errorf("imagined drives with %v rad/s to %v rad", w.ServoRate, w.Lock)
	}
	if w := p.foreseen(); w.ServoRate != 2 || w.Lock != 0.3 {
		t.Errorf("plans with %v rad/s to %v rad", w.ServoRate, w.Lock)
	}
	var s senses
	for i := range 10 {
		s.reckon(&robot.State{CommandedSteering: 0.3}, &p, time.Duration(i)*p.Period)
	}
	if want := 0.1; s.steering < want-1e-6 || s.steering > want+1e-6 {
		t.Errorf("after 50 ms the wheels are at %v rad, want %v", s.steering, want)
	}
	if got := p.lock(); got != float64(float32(0.3)) {
		t.Errorf("the law's lock is %v rad", got)
	}
	if p.Safety.Limits.Steering = 0.7; p.lock() != steer.Lock {
		t.Errorf("with 0.7 rad the law's lock is %v rad", p.lock())
	}
}
