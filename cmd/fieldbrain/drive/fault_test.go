package drive_test

import (
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// repeats names the scenario in which a sensor repeats a true value: no single
// reading can show that, so the brain must notice it (TestS2FrozenSensor).
const repeats = "frozen"

// A watched body looks at every state on its way to the brain: a range that is
// OK is never nearer than the thing the ping met, less five deviations of noise.
type watched struct {
	robot.Body
	rig     *testbench.Rig
	noise   float64
	seen    time.Duration
	checked int
	false   func(got, truth float64, at time.Duration)
}

// Sense implements robot.Body.
func (w *watched) Sense(s *robot.State) {
	w.Body.Sense(s)
	r := s.Range[robot.Front]
	if !r.OK || r.At == w.seen {
		return
	}
	w.seen = r.At
	w.checked++
	w.rig.Truth(func(c *plant.Car, _ *world.World) {
		if truth := c.Heard[robot.Front]; float64(r.Value) < truth*(1-5*w.noise)-0.001 {
			w.false(float64(r.Value), truth, r.At)
		}
	})
}

// falseRanges drives a scenario past a watched body with the vendor's rule,
// which looks at every state and never stops driving. It returns how many front
// ranges it saw and tells of every false one.
func falseRanges(t *testing.T, sc *scenarios.Scenario, tell func(got, truth float64, at time.Duration)) (seen int) {
	t.Helper()
	rig, err := testbench.NewRig(sc, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Body: rig.Body(), rig: rig, noise: sc.Car.RangeNoise, false: tell}
	seat := rig.Vehicle(testbench.DefaultPeriod)
	seat.Body = w
	tick, err := testbench.Vendor(seat)
	if err != nil {
		t.Fatal(err)
	}
	rig.Drive(testbench.DefaultPeriod, tick)
	rig.AdvanceTo(sc.Length())
	return w.checked
}

// TestNoFalseNearRange drives every scenario with a fault and looks at each
// front range between driver and brain: a missing, ghost, late, lost or
// mislabelled echo is never a short distance.
func TestNoFalseNearRange(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	for _, name := range scenarios.Names() {
		sc := cartest.Scenario(t, name)
		if len(sc.Faults) == 0 || name == repeats {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := falseRanges(t, sc, func(got, truth float64, at time.Duration) {
				t.Errorf("at %v: a range of %.3f m, the ping met %.3f m", at, got, truth)
			})
			if seen < 100 {
				t.Errorf("only %d ranges seen", seen)
			}
		})
	}
}

// A ghost long enough to be an echo, 0.3 ms or 5 cm, is one to the driver: only
// a median of several readings would remove it, and that costs more contacts
// than it saves (Params.Sonar.Median). The watch above must see such a lie.
func TestFalseRangesAreSeen(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc := cartest.Scenario(t, "ghost")
	for i := range sc.Faults {
		sc.Faults[i].Value = 0.0003 // s
	}
	lies := 0
	falseRanges(t, sc, func(got, _ float64, _ time.Duration) {
		lies++
		if got < 0.04 || got > 0.06 {
			t.Errorf("a ghost of 0.3 ms reads as %.3f m", got)
		}
	})
	if lies == 0 {
		t.Error("ranges of 5 cm in the open went unnoticed")
	}
}
