package brain_test

import (
	"math"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/testbench/tier"
)

// TestSetCruise: a car that is told another speed on its way drives at it within a second,
// without a step in the command, and at the old one when it is told that again.
func TestSetCruise(t *testing.T) {
	tier.Compiled(t, "a drive of some seconds")
	d := newTrip(t, empty, 3)
	d.arm()
	speed, begun := 0.0, false
	d.after(func() {
		c := d.brain.Remote().Status().Trace.Command
		if step := math.Abs(float64(c.Speed) - speed); begun && c.Speed > 0 && speed > 0 && step > 1.2*0.005+1e-6 {
			t.Errorf("the speed steps by %v m/s", step)
		}
		speed, begun = float64(c.Speed), true
	})
	fastest := func(seconds float64) (v float64) {
		for range int(seconds / 0.1) {
			d.wait(0.1)
			v = max(v, speed)
		}
		return v
	}
	if err := d.brain.Go(brain.Order{Do: brain.DoGoal, X: 1.5}); err != nil {
		t.Fatal(err)
	}
	set := func(which brain.Parameter, v float32) {
		if err := d.brain.Set(brain.Setting{Parameter: which, Value: v}); err != nil {
			t.Fatal(err)
		}
	}
	quick := fastest(2)
	set(brain.ParameterCruise, 0.1)
	d.wait(1)
	slow := fastest(1.5)
	set(brain.ParameterCruise, 0.35)
	d.wait(0.5)
	again := fastest(0.5)
	if quick < 0.2 || slow > 0.13 || slow < 0.05 || again < 0.18 {
		t.Errorf("%.3f m/s, %.3f m/s after it was set to 0.1, %.3f m/s at 0.35 again", quick, slow, again)
	}
	if err := d.brain.Set(brain.Setting{Parameter: brain.ParameterCruise, Value: 0.36}); err == nil {
		t.Error("0.36 m/s is taken")
	}
}

// TestSetArrival: how near a goal has to be counts from when it is set.
func TestSetArrival(t *testing.T) {
	tier.Compiled(t, "a drive of some seconds")
	for _, near := range []float32{0.05, 0.4} {
		d := newTrip(t, empty, 3)
		d.arm()
		if err := d.brain.Go(brain.Order{Do: brain.DoGoal, X: 1}); err != nil {
			t.Fatal(err)
		}
		d.wait(1)
		if err := d.brain.Set(brain.Setting{Parameter: brain.ParameterArrival, Value: near}); err != nil {
			t.Fatal(err)
		}
		reached := math.Inf(1)
		d.after(func() {
			if e, _ := d.brain.Missions(); e.Standing == brain.Reached && math.IsInf(reached, 1) {
				reached = e.Left // then: the car rolls on
			}
		})
		d.wait(12)
		if !(reached <= float64(near) && reached > float64(near)-0.06) {
			t.Errorf("told to come within %v m it counts as there at %v m", near, reached)
		}
	}
}
