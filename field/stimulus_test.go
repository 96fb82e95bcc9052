package field_test

import (
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// TestProfiles compares the profiles of a stimulus with the Gaussian itself,
// around the circle along X and along the bounded axes, for centres in and far
// outside of the bins and for widths from a thousandth of a bin up.
func TestProfiles(t *testing.T) {
	rng := fresh(t)
	for trial := range tier.Count(t, "trials", 400, 2000, 2000) {
		term := field.Term{Channel: field.TargetSeen, A: 1}
		for axis := range 3 {
			term.Centre[axis] = uniform(rng, -0.5, 32.5)
			if trial%4 == 0 {
				term.Centre[axis] = uniform(rng, -1000, 1000)
			}
			term.Sigma[axis] = float32(math.Pow(10, float64(uniform(rng, -3, 2))))
		}
		q := prepare(field.Default())
		q.in.Add(term)
		q.Tick(&q.in)
		for axis := range 3 {
			for i, got := range q.Frame.Rows[0][axis] {
				d := float64(i) - float64(term.Centre[axis])
				if axis == 0 {
					d = math.Remainder(d, field.Side)
				}
				sigma := float64(term.Sigma[axis])
				if want := math.Exp(-d * d / (2 * sigma * sigma)); !(math.Abs(float64(got)-want) <= 1e-6) {
					t.Fatalf("centre %v, sigma %v: weight %v at bin %d of axis %d, want %v",
						term.Centre[axis], sigma, got, i, axis, want)
				}
			}
		}
	}
}
