package field_test

import (
	"math"
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// periodic fills a frame with the stimulus of B.5.5: sine and cosine of a phase
// and of twice that, and 12 constants.
func periodic(s *field.Senses, phase float64) {
	*s = field.Senses{Frame: true}
	for i, v := range []float64{math.Sin(phase), math.Cos(phase), math.Sin(2 * phase), math.Cos(2 * phase)} {
		s.Set(i, float32(0.5+0.4*v))
	}
	for i := range 12 {
		s.Set(40+i, float32(i)/12)
	}
}

// mean returns the mean.
func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// habituate shows the periodic stimulus for n frames and returns the mean errors
// and confidences.
func habituate(n int) (errors, trust []float64) {
	p, s, l := new(field.Predictor), new(field.Senses), field.DefaultLearn()
	for k := range n {
		w := 0.1
		if k >= 1000 {
			w = 0.23
		}
		periodic(s, w*float64(k))
		p.Frame(&l, s)
		errors, trust = append(errors, float64(p.Result.MeanError)), append(trust, float64(p.Result.Trust))
	}
	return errors, trust
}

// TestB8Habituation: what repeats is expected.
func TestB8Habituation(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	errors, trust := habituate(1000)
	early, middle, late := mean(errors[:20]), mean(errors[480:500]), mean(errors[960:990])
	t.Logf("mean error %.4f in frames 0..20, %.5f in 480..500, %.6f in 960..990; confidence %.3f", early, middle, late, trust[989])
	if !(late <= 0.1*early) || !(trust[989] >= 0.8) {
		t.Errorf("mean error %.3g after %.3g, want a tenth; confidence %.3f, want 0.8", late, early, trust[989])
	}
}

// TestO1PredictionLearning is the original's own test by our confidence.
func TestO1PredictionLearning(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	_, trust := habituate(201)
	t.Logf("confidence %.3f after 20 frames, %.3f after 200", trust[20], trust[200])
	if !(trust[20] >= 0.3) || !(trust[200] >= 0.8) {
		t.Errorf("confidence %.3f after 20 frames and %.3f after 200, want 0.3 and 0.8", trust[20], trust[200])
	}
}

// TestB9Novelty: what changes is noticed at once and becomes usual.
func TestB9Novelty(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	errors, _ := habituate(1420)
	before, peak, after := mean(errors[900:1000]), slices.Max(errors[1000:1005]), mean(errors[1390:1410])
	t.Logf("mean error %.2g before, peak %.3g, %.3g after 400 frames", before, peak, after)
	if !(peak >= 5*before) || !(after <= 0.3*peak) {
		t.Errorf("mean error %.3g before the change, peak %.3g, %.3g after 400 frames", before, peak, after)
	}
}

// TestB9NoveltyPeak shows the same change to the whole field, on ranges and on
// the floor, with a jump of the phase and without, a frame every 20 ms.
func TestB9NoveltyPeak(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, tt := range []struct {
		name string
		move int // of the first slots
		jump bool
	}{{"ranges", 0, false}, {"ranges jump", 0, true}, {"floor", field.SlotFloor, false}, {"floor jump", field.SlotFloor, true}} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, field.Default())
			first, last, early := -1, -1, false
			phase := 0.0
			for k := range 1300 {
				w := 0.1
				if k >= 1000 {
					w = 0.23
				}
				if phase += w; tt.jump {
					phase = w * float64(k)
				}
				show(&r.in.Senses, phase, tt.move)
				for j := range 4 {
					r.in.Senses.Frame = j == 0
					if out := r.step(t); out.Marginals[field.Novelty].Sum() < 1 {
						continue
					}
					if early = early || k >= 700 && k < 1000; k >= 1000 && first < 0 {
						first = 20*(k-1000) + 5*(j+1)
					}
					last = 20*(k-1000) + 5*(j+1)
				}
			}
			t.Logf("a peak from %d ms to %d ms after the change", first, last)
			if early || first < 0 || first > 200 || last > 3000 {
				t.Errorf("peak before the change: %v; after it from %d ms to %d ms, want within 200 and 3000", early, first, last)
			}
		})
	}
}

// show is periodic with the moving slots elsewhere.
func show(s *field.Senses, phase float64, move int) {
	var p field.Senses
	periodic(&p, phase)
	*s = field.Senses{}
	for i := range field.NumSenses {
		to := i
		if i < 4 {
			if to = i + move; to == field.SlotLine { // the fourth has no place on the floor
				to = 39
			}
		}
		if p.Valid>>i&1 == 1 {
			s.Set(to, p.S[i])
		}
	}
}
