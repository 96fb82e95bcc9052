package exact_test

import (
	"math"
	"testing"

	"fieldbrain/field/exact"
)

// TestSmall measures the short forms over their whole domains.
func TestSmall(t *testing.T) {
	for a := -0.6; a <= 0.6; a += 0.01 {
		if d := math.Abs(float64(exact.SmallTan(float32(a))) - math.Tan(a)); d > 2e-5 {
			t.Errorf("SmallTan(%.2f) is %.1e off", a, d)
		}
	}
	for a := -0.4; a <= 0.4; a += 0.01 {
		c, s := exact.SmallTurn(0.6, 0.8, float32(a))
		dc := float64(c) - (0.6*math.Cos(a) - 0.8*math.Sin(a))
		ds := float64(s) - (0.8*math.Cos(a) + 0.6*math.Sin(a))
		if d := math.Hypot(dc, ds); d > 1e-6 {
			t.Errorf("SmallTurn by %.2f is %.1e off", a, d)
		}
	}
}
