package main

import (
	"math"
	"os"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

func loadScenario(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// fullSuite reports whether somebody asked for every seed of every scenario.
func fullSuite() bool { return os.Getenv("FIELDBRAIN_FULL") != "" }

// repeats names the scenario in which a sensor repeats a true value: no single
// reading can show that, so the brain must notice it (TestS2FrozenSensor).
const repeats = "frozen"

// A watched body looks at every state on its way to the brain: a range that is
// OK is never nearer than what the ping met, five deviations of noise left.
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

// TestNoFalseNearRange drives every scenario with a fault and looks at each
// front range between driver and brain: a missing, ghost, late, lost or
// mislabelled echo is never a short distance.
func TestNoFalseNearRange(t *testing.T) {
	for _, name := range scenarios.Names() {
		sc := loadScenario(t, name)
		if len(sc.Faults) == 0 || name == repeats {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig, err := testbench.NewRig(sc, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := &watched{Body: rig.Body(), rig: rig, noise: sc.Car.RangeNoise, false: func(got, truth float64, at time.Duration) {
				t.Errorf("at %v: a range of %.3f m, the ping met %.3f m", at, got, truth)
			}}
			seat := rig.Seat(testbench.DefaultPeriod)
			seat.Body = w
			tick, err := testbench.Vendor(seat) // looks at every state and drives on whatever happens
			if err != nil {
				t.Fatal(err)
			}
			rig.Drive(testbench.DefaultPeriod, tick)
			rig.AdvanceTo(sc.Length())
			if w.checked < 100 || math.IsNaN(w.noise) {
				t.Errorf("only %d ranges seen", w.checked)
			}
		})
	}
}
