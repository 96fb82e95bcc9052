package cartest_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car/cartest"
)

// A test that looks at every command of a ride.
func ExampleNewRide() {
	_ = func(t *testing.T) {
		ride := cartest.NewRide(t, "room", 7, nil)
		ride.After = func(now time.Duration, tr *brain.Trace) {
			if !tr.Command.Finite() {
				t.Errorf("at %v: %+v", now, tr.Command)
			}
		}
		ride.Rig.AdvanceTo(5 * time.Second)
	}
}
