package brain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/testbench/tier"
)

// TestNearGoals: a goal that lies near and beside or behind the car, inside the circle that
// it drives, is reached and not gone round: with five beams by turning to it on the spot,
// with one in strokes over the floor that it knows.
func TestNearGoals(t *testing.T) {
	tier.Compiled(t, "drives of some minutes")
	for _, car := range []struct {
		profile string
		seconds float64 // it may take
	}{{"P1", 12}, {"P0", 60}} {
		for i, off := range []float64{90, -90, 135, 45, 180}[:tier.Count(t, "bearings", 2, 3, 5)] {
			for _, far := range []float64{0.3, 0.5} {
				t.Run(fmt.Sprint(car.profile, off, far), func(t *testing.T) {
					d := newTrip(t, strings.Replace(empty, "P1", car.profile, 1), uint64(i+1))
					d.arm()
					sin, cos := math.Sincos(off * math.Pi / 180)
					if e := d.give(brain.Order{Do: brain.DoGoal, X: far * cos, Y: far * sin}, car.seconds); e.Standing != brain.Reached {
						t.Errorf("%v after %v s, %.2f m left", e.Standing, car.seconds, e.Left)
					}
				})
			}
		}
	}
}
