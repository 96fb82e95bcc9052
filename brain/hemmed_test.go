package brain_test

import (
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// TestHemmedIn: a car that is armed with its nose at an edge, where it has no room to turn and
// may not back away, says so, and gives its order up for that reason; what it does by itself it
// goes on to do, and one with floor all round says nothing of the kind.
func TestHemmedIn(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	for _, tt := range []struct {
		profile, x string
		order      brain.Order
		hemmed     bool
	}{
		{"P0", "3.03", brain.Order{Do: brain.DoExplore}, true},
		{"P0", "2.0", brain.Order{}, false},
		{"P0", "3.05", brain.Order{Do: brain.DoGoal, X: -1, Y: 0.2}, true},
		{"P0", "3.05", brain.Order{}, true},
		{"P1", "2.0", brain.Order{}, false},
	}[:tier.Count(t, "drives", 2, 5, 5)] {
		world := strings.Replace(strings.Replace(bareTable, "P1", tt.profile, 1), "x = 2.0", "x = "+tt.x, 1)
		sc, err := scenarios.Parse("table.toml", []byte(world))
		if err != nil {
			t.Fatal(err)
		}
		d := newTripIn(t, sc, 1, field.Default(), true)
		d.arm()
		told := 0.0
		d.after(func() {
			if s := d.brain.Remote().Status(); s.Hemmed && told == 0 {
				told = s.Trace.Now.Seconds()
			}
		})
		ordered := tt.order.Do != brain.DoStart
		if ordered {
			d.give(tt.order, 60)
		} else {
			d.wait(60)
		}
		e := d.brain.Remote().Status().Mission
		given := e.Standing == brain.GivenUp && e.Why == brain.HemmedIn
		if hemmed := told > 10 && told < 30; hemmed != tt.hemmed || given != (tt.hemmed && ordered) {
			t.Errorf("%s at %s, %v: told after %.1f s; %v, %q", tt.profile, tt.x, tt.order, told, e.Standing, e.Why)
		}
	}
}
