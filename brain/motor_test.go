package brain

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"fieldbrain/field"
)

// TestLimiterKeepsItsBounds: the speed stays within the wishes so far, its slew and
// the change of its slew within their bounds.
func TestLimiterKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dt := rapid.SampledFrom([]float64{0.0025, 0.005, 0.02, 0.04}).Draw(t, "dt")
		wants := rapid.SliceOfN(rapid.Float64Range(-0.35, 0.35), 1, 60).Draw(t, "wants")
		hold := rapid.IntRange(1, 40).Draw(t, "hold")
		var l limiter
		low, high := 0.0, 0.0
		for _, to := range wants {
			low, high = min(low, to), max(high, to)
			for range hold {
				before, rate := l.speed, l.slew
				v := l.step(to, dt)
				if v < low-1e-9 || v > high+1e-9 {
					t.Fatalf("speed %v outside %v..%v", v, low, high)
				}
				if a := math.Abs(v-before) / dt; a > slew+1e-9 {
					t.Fatalf("slew %v", a)
				}
				if j := math.Abs(l.slew-rate) / dt; j > jerk+1e-6 {
					t.Fatalf("change of slew %v", j)
				}
			}
		}
	})
}

// TestLimiterArrives: in the time the bounds need and no more.
func TestLimiterArrives(t *testing.T) {
	for _, dt := range []float64{0.0025, 0.005, 0.04} {
		var l limiter
		n := 0
		for ; math.Abs(l.speed-0.35) > 1e-4 && n < 10_000; n++ {
			l.step(0.35, dt)
		}
		if s := float64(n) * dt; s > 0.35/slew+slew/jerk+0.05+4*dt {
			t.Errorf("dt %v: 0.35 m/s after %.3f s", dt, s)
		}
	}
}

func TestWheelsKeepTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w wheels
		for _, to := range rapid.SliceOfN(rapid.Float64Range(-4, 4), 1, 100).Draw(t, "wants") {
			before := w.angle
			a := w.step(to, 30*deg, 400*deg, 0.005)
			if math.Abs(a) > 30*deg || math.Abs(a-before) > 400*deg*0.005+1e-12 {
				t.Fatalf("from %v to %v", before, a)
			}
		}
	})
}

func TestTilt(t *testing.T) {
	if got := tilt(field.RangeBin(1)); math.Abs(got+math.Atan(0.1)) > 1e-9 {
		t.Errorf("a metre away the camera looks %v rad down", -got)
	}
	if got := tilt(0); got != tiltDown {
		t.Errorf("at its foot the camera looks to %v, want its lowest", got)
	}
	before := tiltDown
	for bin := 0.0; bin < 32; bin++ {
		if a := tilt(bin); a < before || a > tiltUp {
			t.Errorf("bin %v: tilt %v after %v", bin, a, before)
		} else {
			before = a
		}
	}
}

// TestPlannedSpeed: a plan slows down to half at most, and nothing else.
func TestPlannedSpeed(t *testing.T) {
	p := Default()
	rapid.Check(t, func(t *rapid.T) {
		var out field.Output
		for y := range out.Marginals[field.PlanSpeed].Y {
			out.Marginals[field.PlanSpeed].Y[y] = rapid.Int32Range(0, field.One).Draw(t, "f")
		}
		if s := planned(&out, &p); !(s >= 0.5 && s <= 1) {
			t.Fatalf("factor %v", s)
		}
	})
	at := func(throttle float64) float64 {
		var out field.Output
		for y := range out.Marginals[field.PlanSpeed].Y {
			d := field.ThrottleBin(throttle) - float64(y)
			out.Marginals[field.PlanSpeed].Y[y] = int32(field.One * math.Exp(-d*d/8))
		}
		return planned(&out, &p)
	}
	if full, half, back := at(1), at(0.5), at(-0.6); full < 0.97 || math.Abs(half-0.5) > 0.05 || back > 0.51 {
		t.Errorf("full, half, backwards: %v, %v, %v", full, half, back)
	}
	if s := planned(new(field.Output), &p); s != 1 {
		t.Errorf("no plan: %v", s)
	}
}
