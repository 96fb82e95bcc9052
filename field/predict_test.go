package field_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// learning returns parameters with the rate mu.
func learning(mu float32) *field.LearnParams { return &field.LearnParams{Predict: true, Rate: mu} }

// repeated returns a predictor with random weights that has seen one vector
// twice: what it is made from repeats from then on.
func repeated(rng *rand.Rand, mu float32) (*field.Predictor, *field.Senses) {
	p, s := new(field.Predictor), &field.Senses{Frame: true}
	for i := range 16 {
		s.Set(4*i, rng.Float32())
	}
	p.Frame(learning(mu), s)
	p.Frame(learning(mu), s)
	for i := range p.W {
		p.W[i] = uniform(rng, -0.5, 0.5)
	}
	p.Frame(learning(0), s) // what it expects now comes from the weights
	return p, s
}

// TestT15Predictor: of a repeated regressor every frame leaves the share
// 1 - mu r.r/(1e-3 + r.r) of the error, so that it converges for 0 < mu < 2 and
// for no other.
func TestT15Predictor(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for _, mu := range []float32{0.1, 1, 1.9, 2.1} {
		t.Run(fmt.Sprint(mu), func(t *testing.T) {
			p, s := repeated(rng, mu)
			power := 0.0
			for _, r := range p.R {
				power += float64(r) * float64(r)
			}
			want := 1 - float64(mu)*power/(1e-3+power)
			worst, first, last := 0.0, 0.0, 0.0
			var before [field.NumSenses]float32
			for n := range 200 {
				p.Frame(learning(mu), s)
				last = float64(p.Result.MeanError)
				if n == 0 {
					first = last
				}
				for i, e := range p.Result.Error {
					if n == 0 || math.Abs(float64(before[i])) < 0.1 { // s_hat is a sum of 65 roundings
						continue
					}
					worst = max(worst, math.Abs(float64(e)/float64(before[i])-want))
				}
				before = p.Result.Error
			}
			t.Logf("mu %v: ratio %.6f, off by at most %.2g; mean error %.3g, after 200 frames %.3g", mu, want, worst, first, last)
			if !(worst <= 1e-5) {
				t.Errorf("the ratio is off by %.3g, want 1e-5", worst)
			}
			if converges := last < 1e-3*first; converges != (mu < 2) {
				t.Errorf("mean error %.3g after %.3g", last, first)
			}
			d := field.Default()
			d.Learn.Rate = mu
			if err := d.Validate(); (err == nil) != (mu < 2) {
				t.Errorf("mu %v: validation says %v", mu, err)
			}
		})
	}
}

// TestConstantHasNoError: the prior is that nothing changes.
func TestConstantHasNoError(t *testing.T) {
	p, s, l := new(field.Predictor), new(field.Senses), field.DefaultLearn()
	for range 100 {
		periodic(s, 1)
		p.Frame(&l, s)
		if p.Result.MeanError != 0 || p.Result.Error != [field.NumSenses]float32{} {
			t.Fatalf("errors %v of a constant", p.Result.Error)
		}
	}
}

// TestBoundedPredictor: whatever the rate and the vectors, nothing becomes
// infinite or stops being a number.
func TestBoundedPredictor(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rapid.Check(t, func(t *rapid.T) {
		l := learning(rapid.Float32Range(0, math.Nextafter32(2, 0)).Draw(t, "mu"))
		value := rapid.OneOf(rapid.Float32Range(0, 1), rapid.SampledFrom([]float32{
			0, 1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, 1e-45, -1,
		}), rapid.Float32())
		var p field.Predictor
		cells := make([]float32, field.PredictorCells)
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			s := field.Senses{Frame: true, Valid: rapid.Uint64().Draw(t, "valid")}
			for i := range s.S {
				s.S[i] = value.Draw(t, "s")
			}
			for range rapid.IntRange(1, 4).Draw(t, "times") {
				p.Frame(l, &s)
			}
		}
		if p.Store(cells); !field.PredictorSound(cells) || !p.Result.Plausible() {
			t.Fatalf("mu %v: the predictor holds what none can", l.Rate)
		}
	})
}

// TestBoundedByOpposition lets an adversary choose each vector against the
// prediction, for long: the bound of the package comment holds.
func TestBoundedByOpposition(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for _, mu := range []float32{0.1, 1, 1.9, 1.999} {
		var p field.Predictor
		most := 0.0
		for range tier.Count(t, "frames", 4000, 20_000, 20_000) {
			s := field.Senses{Frame: true, Valid: math.MaxUint64}
			for i := range s.S {
				if s.S[i] = 0; p.Hat[i] < 0.5 {
					s.S[i] = 1
				}
				if rng.IntN(4) == 0 {
					s.S[i] = rng.Float32()
				}
			}
			p.Frame(learning(mu), &s)
			norm := 0.0
			for _, w := range p.W[:field.Regressors] {
				norm += float64(w) * float64(w)
			}
			most = max(most, math.Sqrt(norm))
		}
		limit := math.Sqrt(2e6 * float64(mu) / (2 - float64(mu)))
		t.Logf("mu %v: |W_0| at most %.3g, bound %.3g", mu, most, limit)
		if !(most <= limit) {
			t.Errorf("mu %v: |W_0| = %.3g beyond %.3g", mu, most, limit)
		}
	}
}

// TestNoLearningNoPrediction: a rate of 0 predicts that nothing changes and
// leaves the weights alone; switched off, nothing is said at all.
func TestNoLearningNoPrediction(t *testing.T) {
	rng := fresh(t)
	var p, off field.Predictor
	var s field.Senses
	var last [field.NumSenses]float32
	for k := range 50 {
		swing(rng, &s, 5*k)
		s.Valid = math.MaxUint64
		p.Frame(learning(0), &s)
		off.Frame(&field.LearnParams{Rate: 0.1}, &s)
		for i, e := range p.Result.Error {
			if k > 0 && e != s.S[i]-last[i] {
				t.Fatalf("frame %d: error %v of slot %d, its change is %v", k, e, i, s.S[i]-last[i])
			}
		}
		last = s.S
	}
	if p.W != (field.Predictor{}).W {
		t.Error("a rate of 0 has learned")
	}
	if off != (field.Predictor{}) {
		t.Error("a predictor that is switched off has changed")
	}
}

// TestStoreRestore moves a predictor and goes on with both.
func TestStoreRestore(t *testing.T) {
	rng := fresh(t)
	var a, b field.Predictor
	var s field.Senses
	cells := make([]float32, field.Cells)
	for k := range 60 {
		swing(rng, &s, k)
		a.Frame(learning(0.1), &s)
		if k == 30 {
			a.Store(cells)
			if !b.Restore(cells) || a != b {
				t.Fatal("restored, the predictor is another")
			}
		}
		if k > 30 {
			b.Frame(learning(0.1), &s)
		}
	}
	if a != b {
		t.Error("a restored predictor goes on differently")
	}
	square := len(a.W) + len(a.R) + 4*field.NumSenses // the first E2
	for _, at := range []int{0, square, field.PredictorCells - 1} {
		for _, odd := range []float64{math.NaN(), math.Inf(1), 2e9, -2e9} {
			a.Store(cells)
			cells[at] = float32(odd)
			if b.Restore(cells) || a != b {
				t.Errorf("%v was taken as number %d", odd, at)
			}
		}
	}
	a.Store(cells)
	if cells[square] != a.E2[0] || a.E2[0] == 0 {
		t.Errorf("number %d is %v, want %v", square, cells[square], a.E2[0])
	}
}

// TestSurpriseStrengthensStimuli: an error of 0.2 and more makes the slot's
// stimuli a quarter stronger, and no other's.
func TestSurpriseStrengthensStimuli(t *testing.T) {
	p := bare(5 * ms)
	for _, c := range []int{60, 61} {
		p.Table[c] = channel(field.X, field.LIN(), 1)
	}
	for jump, want := range map[float32]float64{0: 0.4, 0.1: 0.45, 0.2: 0.5, 0.5: 0.5} {
		r := newRig(t, p)
		for _, v := range []float32{0.3, 0.3 + jump} {
			r.in.Senses = field.Senses{Frame: true}
			r.in.Senses.Set(7, v)
			r.step(t, field.At(60, 0.4, 16, 2).From(7), field.At(61, 0.4, 16, 2).From(8))
		}
		if got, other := float64(r.highest(60)), float64(r.highest(61)); math.Abs(got-want) > 1e-6 || other != float64(float32(0.4)) {
			t.Errorf("after a jump of %v the stimulus is %v, want %v; another slot's is %v, want 0.4", jump, got, want, other)
		}
	}
}

// TestNoRungDegradesPrediction runs the same frames at full and at the least
// quality.
func TestNoRungDegradesPrediction(t *testing.T) {
	rng := fresh(t)
	full, least := newRig(t, bare(5*ms)), newRig(t, bare(5*ms))
	least.in.Quality = field.Quality{Perception: 8, Traces: 8, Associative: 8}
	for k := range 40 {
		swing(rng, &full.in.Senses, k)
		least.in.Senses = full.in.Senses
		if a, b := full.step(t), least.step(t); a.Prediction != b.Prediction {
			t.Fatalf("frame %d: the prediction depends on the quality", k)
		}
	}
}

// TestSensesSet: NaN is no value, and a stimulus shows a slot
// there is.
func TestSensesSet(t *testing.T) {
	var s field.Senses
	s.Set(3, 7)
	s.Set(4, 0.5)
	s.Set(4, float32(math.NaN()))
	s.Set(63, -1)
	if s.Valid != 1<<3|1<<63 || s.S[3] != 1 || s.S[63] != 0 {
		t.Errorf("valid %#x, slot 3 is %v, slot 63 is %v; want only these two, 1 and 0", s.Valid, s.S[3], s.S[63])
	}
	var in field.Input
	if in.Add(field.At(1, 1, 0, 1).From(64)) || in.Add(field.Term{Of: -1}) || !in.Add(field.At(1, 1, 0, 1).From(63)) {
		t.Error("a stimulus may show slots 0 to 63, and no other")
	}
}
