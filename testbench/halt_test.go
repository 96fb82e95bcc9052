package testbench_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
)

// straight drives on and on, and after the pause with or without being asked.
func straight(pause, again time.Duration) testbench.Pilot {
	return func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			c := robot.Command{At: now, Enable: true, Speed: 0.2}
			if now > pause && now < again {
				c.Speed = 0
			}
			_ = s.Body.Act(c)
		}, nil
	}
}

// The hall is long enough for ten seconds of driving at 0.2 m/s.
func TestHaltMetrics(t *testing.T) {
	const never = time.Hour
	off := "[[fault]]\nkind = \"off\"\nfrom_s = 3\nuntil_s = 3.5\n"
	idle := "[[fault]]\nkind = \"echo-lost\"\nfrom_s = 3\nuntil_s = 3.5\n"
	tests := []struct {
		name, why, fault  string
		pilot             testbench.Pilot
		cut, halt         [2]float64 // s, lowest and highest; none when both are 0
		resumed, resumedM float64    // m, lowest and highest
	}{
		{
			"off", "the motors die at once, the car rolls 0.36 s; a pilot without reflexes drives on",
			off, straight(never, never),
			[2]float64{0, 0.002},
			[2]float64{0.3, 0.4},
			0.5, 1.5,
		},
		{
			"off, obedient", "a pilot that stops for good drives no further",
			off, straight(3*time.Second, never),
			[2]float64{0, 0.002},
			[2]float64{0.3, 0.4},
			0, 0,
		},
		{
			"harmless", "nobody looks at the sonar: no halt, so nothing is resumed",
			idle, straight(never, never),
			[2]float64{},
			[2]float64{},
			0, 0,
		},
		{
			"later", "the halt is the pilot's, two seconds after the fault began",
			idle, straight(5*time.Second, 6*time.Second),
			[2]float64{2, 2.2},
			[2]float64{2.3, 2.6},
			0.4, 0.9,
		},
	}
	within := func(x *float64, span [2]float64) bool {
		if span == [2]float64{} {
			return x == nil
		}
		return x != nil && *x >= span[0] && *x <= span[1]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, parse(t, hall+tt.fault), 1, tt.pilot, 10*time.Second)
			if !within(r.Cut, tt.cut) || !within(r.Halt, tt.halt) {
				t.Errorf("cut %s, halt %s; want %v, %v: %s", show(r.Cut), show(r.Halt), tt.cut, tt.halt, tt.why)
			}
			if r.Resumed == nil || *r.Resumed < tt.resumed || *r.Resumed > tt.resumedM {
				t.Errorf("resumed %s m, want %v to %v: %s", show(r.Resumed), tt.resumed, tt.resumedM, tt.why)
			}
		})
	}
	if r := run(t, parse(t, hall), 1, straight(never, never), time.Second); r.Halt != nil || r.Resumed != nil {
		t.Error("a scenario without faults has halt metrics")
	}
}

// TestNoHaltWithoutDriving: what a car that never drove would satisfy is not measured,
// and a limit on it fails; a fault before the first drive counts from that drive on.
func TestNoHaltWithoutDriving(t *testing.T) {
	limits := ""
	for _, m := range []string{"cut_s", "halt_s", "resumed_m"} {
		limits += "[[limit]]\nmetric = \"" + m + "\"\nmax = 20\n"
	}
	for from, why := range map[string]string{"0": "before it could", "3": "without a word"} {
		fault := "[[fault]]\nkind = \"echo-lost\"\nfrom_s = " + from + "\n"
		r := run(t, parse(t, hall+fault+limits), 1, straight(0, time.Hour), 6*time.Second)
		if r.Halt != nil || r.Cut != nil || r.Resumed != nil {
			t.Errorf("a car that never drove, %s: cut %s, halt %s, resumed %s", why, show(r.Cut), show(r.Halt), show(r.Resumed))
		}
		for _, v := range r.Verdicts {
			if strings.Contains(limits, v.Metric) && v.Pass {
				t.Errorf("a car that never drove passes %v", v)
			}
		}
	}
	fault := "[[fault]]\nkind = \"echo-lost\"\nfrom_s = 0\n"
	r := run(t, parse(t, hall+fault), 1, straight(0, 2*time.Second), 6*time.Second)
	if r.Halt != nil || r.Resumed == nil || *r.Resumed != 0 {
		t.Errorf("a car that drove off later and never stood: halt %s, resumed %s", show(r.Halt), show(r.Resumed))
	}
}

func show(x *float64) string {
	if x == nil {
		return "none"
	}
	return time.Duration(*x * float64(time.Second)).String()
}
