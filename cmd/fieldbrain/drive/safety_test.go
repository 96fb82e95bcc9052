package drive_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

// TestS1BusLost: 150 ms after the bus has failed, in any way, the driver drives no
// motor.
func TestS1BusLost(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	after := time.Duration(tier.Count(t, "seconds after it", 2, 5, 5)) * time.Second
	for _, name := range []string{"storm", "hungbus", "stuckbus", "hat-off", "brownout"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := cartest.Scenario(t, name)
			from := time.Duration(sc.Faults[0].From * float64(time.Second))
			r := cartest.NewRide(t, name, 2, nil)
			r.Rig.AdvanceTo(from)
			if !r.Armed {
				t.Fatal("never armed")
			}
			r.Rig.AdvanceTo(from + 150*time.Millisecond)
			for end := from + after; r.Rig.Elapsed() < end; r.Rig.AdvanceTo(r.Rig.Elapsed() + 10*time.Millisecond) {
				if d := r.Duty(); d != 0 {
					t.Fatalf("a motor has duty %.2f %v after the bus failed", d, r.Rig.Elapsed()-from)
				}
			}
		})
	}
}

// TestS1BrainLost: when no command comes any more, the driver's lease ends at
// 150 ms: from then on the speed falls, and 100 ms later the motors are dead.
func TestS1BrainLost(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	r := cartest.NewRide(t, "room", 1, nil)
	r.Rig.AdvanceTo(5 * time.Second)
	before := r.Duty()
	if before == 0 || r.Speed() < 0.1 {
		t.Fatalf("the car does not drive: duty %v", before)
	}
	r.Silent = true
	lost := r.Rig.Elapsed()
	const latest = 5 * time.Millisecond // a motor write
	r.Rig.AdvanceTo(lost + 150*time.Millisecond + 2*latest)
	if d := r.Duty(); d >= before {
		t.Errorf("duty %.3f 160 ms after the last command, %.3f before: the stop has not begun", d, before)
	}
	r.Rig.AdvanceTo(lost + 250*time.Millisecond + 2*latest)
	if d := r.Duty(); d != 0 {
		t.Errorf("duty %.3f 260 ms after the last command, want 0", d)
	}
	r.Rig.AdvanceTo(lost + time.Second)
	if v := r.Speed(); math.Abs(v) > 0.001 {
		t.Errorf("rolls at %.3f m/s a second after the last command", v)
	}
}

// TestS2FrozenSensor: the brain flags a front sonar that repeats itself within a
// second of driving; R3 applies while the flag stands, and the flag ends with the
// fault.
func TestS2FrozenSensor(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc := cartest.Scenario(t, repeats)
	from := time.Duration(sc.Faults[0].From * float64(time.Second))
	until := time.Duration(sc.Faults[0].Until * float64(time.Second))
	creep := safety.Default().Range.Creep
	for seed := uint64(1); seed <= uint64(tier.Count(t, "seeds", 1, 3, 3)); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			var flagged, cleared time.Duration
			r := cartest.NewRide(t, repeats, seed, nil)
			r.After = func(now time.Duration, tr *brain.Trace) {
				is := tr.Causes&safety.FrozenSensor != 0
				switch {
				case is && flagged == 0:
					flagged = now
				case !is && flagged != 0 && cleared == 0:
					cleared = now
				}
				if is && tr.Command.Speed > creep {
					t.Errorf("at %v: %.3f m/s with a frozen sensor, at most %.2f", now, tr.Command.Speed, creep)
				}
			}
			r.Rig.AdvanceTo(until + 2*time.Second)
			if flagged < from || flagged > from+time.Second {
				t.Errorf("flagged at %v, the fault began at %v", flagged, from)
			}
			if cleared < until || cleared > until+time.Second {
				t.Errorf("cleared at %v, the fault ended at %v", cleared, until)
			}
		})
	}
}
