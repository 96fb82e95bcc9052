package field_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/reference"
	"fieldbrain/testbench/tier"
)

// TestPredictorAgrees lets both predictors run on their own on the same frames.
func TestPredictorAgrees(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for _, mu := range []float32{0, 0.1, 1, 1.9} {
		limit := senseError * max(1, 10*float64(mu)) // roundings are learned in proportion
		var p field.Predictor
		var ref reference.Predictor
		var s field.Senses
		errs, surprises, trust, weights := 0.0, 0.0, 0.0, 0.0
		for k := range tier.Count(t, "frames", 800, 3000, 3000) {
			swing(rng, &s, k)
			p.Frame(learning(mu), &s)
			ref.Frame(learning(mu), &s)
			for i := range field.NumSenses {
				if (p.Result.Checked[i] == 1) != ref.Checked[i] {
					t.Fatalf("frame %d: slot %d is checked: %v, reference %v", k, i, p.Result.Checked[i], ref.Checked[i])
				}
				errs = max(errs, math.Abs(float64(p.Result.Error[i])-ref.Error[i]), math.Abs(float64(p.Boost[i])-ref.Boost[i])/1.25)
				surprises = max(surprises, math.Abs(float64(p.Result.Novelty[i])-ref.Surprise[i]))
				trust = max(trust, math.Abs(float64(p.Result.Confidence[i])-ref.Confidence[i]))
				for j := range field.Regressors {
					weights = max(weights, math.Abs(float64(p.W[i*field.Regressors+j])-ref.Weights[i][j]))
				}
			}
		}
		t.Logf("mu %v: errors apart by %.2g, surprises %.2g, confidence %.2g, weights %.2g", mu, errs, surprises, trust, weights)
		if !(errs <= limit) || !(surprises <= 300*limit) || !(trust <= 1e-4) || !(weights <= 1e-4) {
			t.Errorf("mu %v: too far apart", mu)
		}
	}
}

// swing draws the next frame: sines, steps, noise, constants, gaps.
func swing(rng *rand.Rand, s *field.Senses, k int) {
	*s = field.Senses{Frame: k%5 != 4} // a vector that is no frame changes nothing
	for i := range field.NumSenses {
		v := float32(i) / 64
		switch i % 4 {
		case 0:
			v = float32(0.5 + 0.4*math.Sin(0.03*float64(k*(1+i))))
		case 1:
			v = float32(k / (20 + i) % 2)
		case 2:
			v += 0.05 * rng.Float32()
		}
		if s.Set(i, v); rng.IntN(15) == 0 {
			s.Valid &^= 1 << i
		}
	}
}
