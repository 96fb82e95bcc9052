package safety_test

import (
	"testing"
	"time"

	"fieldbrain/robot/safety"
)

// TestBattery is R6: thresholds on a 3 s filter, with hysteresis.
func TestBattery(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed = 0.35
	steps := []struct {
		name    string
		volts   float32
		after   time.Duration
		want    safety.Causes
		speed   float32
		tripped safety.Causes
	}{
		{"full", 7.6, 5 * time.Second, 0, 0.35, 0},
		{"a motor start sags for a reading", 6.0, time.Second, 0, 0.35, 0},
		{"and recovers", 7.6, 10 * time.Second, 0, 0.35, 0},
		{"low", 6.5, 20 * time.Second, safety.BatteryLow, 0.175, 0},
		{"a little more is not recovered", 6.7, 20 * time.Second, safety.BatteryLow, 0.175, 0},
		{"recovered", 7.0, 20 * time.Second, 0, 0.35, 0},
		{"empty stops and disarms", 6.1, 30 * time.Second, safety.BatteryLow | safety.BatteryEmpty | safety.Disarmed, 0, safety.BatteryEmpty},
		{"a little more is not recovered either", 6.35, 30 * time.Second, safety.BatteryLow | safety.BatteryEmpty | safety.Disarmed, 0, safety.BatteryEmpty},
		{"the unloaded pack rebounds: still stopped", 7.0, 30 * time.Second, safety.Disarmed, 0, safety.BatteryEmpty},
	}
	for _, step := range steps {
		g.volts = step.volts
		g.run(int(step.after / g.p.Period))
		if g.c != step.want || g.out.Speed != step.speed || g.r.Status().Tripped != step.tripped {
			t.Errorf("%s: %v at %v m/s, tripped by %v; want %v, %v, %v",
				step.name, g.c, g.out.Speed, g.r.Status().Tripped, step.want, step.speed, step.tripped)
		}
	}
}

// TestBatteryUnknown: R6 ignores implausible readings, but not their
// persistence.
func TestBatteryUnknown(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed = 0.35
	for _, volts := range []float32{4.2, 9.9} {
		g.volts = volts
		g.run(int(4 * time.Second / g.p.Period))
		if g.c != 0 {
			t.Errorf("after 4 s at %v V: %v", volts, g.c)
		}
		g.run(int(2 * time.Second / g.p.Period))
		if g.c != safety.BatteryUnknown || g.out.Speed != 0.175 {
			t.Errorf("after 6 s at %v V: %v, %v m/s", volts, g.c, g.out.Speed)
		}
		g.volts = 7.6
		g.run(int(2 * time.Second / g.p.Period))
		if g.c != 0 {
			t.Errorf("plausible again: %v", g.c)
		}
	}
}

func TestUnfilteredBattery(t *testing.T) {
	g := newRig(t, func(p *safety.Params) { p.Battery.Filter = 0 })
	g.volts = 6.5
	g.run(int(time.Second / g.p.Period))
	if g.c != safety.BatteryLow {
		t.Errorf("one reading of 6.5 V without a filter: %v", g.c)
	}
}
