package field_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// TestT14GradientAscent: for frozen random outputs the potential never falls
// and the operating point comes to rest on a local maximum; on the peak of a decision
// it does so within a second from anywhere up to two widths away. (From farther
// the slope of the Gaussian is too flat for that; outputs that are random in every
// bin make a potential so flat that only its rise is checked.)
func TestT14GradientAscent(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	heading, speed := field.HeadingAscent(), field.SpeedAscent()
	for name, a := range map[string]*field.Ascent{"heading": &heading, "speed": &speed} {
		for trial := range 200 {
			peak := trial%2 == 0
			var m [field.Side]int32
			at := 16 + uniform(rng, -6, 6)
			for i := range m {
				d := float64(i) - float64(at)
				m[i] = int32(field.One * math.Exp(-d*d/(2*1.5*1.5)))
				if !peak {
					m[i] = int32(rng.IntN(field.One))
				}
			}
			op, seconds := float64(uniform(rng, float32(a.Low), float32(a.High))), 4
			if peak {
				width := uniform(rng, -2, 2) * float32(a.Width)
				op = a.Coordinate[16] + (a.Coordinate[17]-a.Coordinate[16])*float64(at-16) + float64(width)
				op, seconds = min(max(op, a.Low), a.High), 1
			}
			phi := a.Potential(&m, op)
			for range 200 * seconds {
				op = a.Step(&m, op, 5*ms)
				next := a.Potential(&m, op)
				if next < phi-1e-12*math.Abs(phi) {
					t.Fatalf("%s %d: potential fell from %v to %v", name, trial, phi, next)
				}
				phi = next
			}
			if !peak {
				continue
			}
			g := a.Gradient(&m, op)
			atEnd := op == a.Low && g < 0 || op == a.High && g > 0
			if !atEnd && !(math.Abs(a.Gain*g) <= 0.02) {
				t.Errorf("%s %d: still moving at %.3f per s after 1 s", name, trial, a.Gain*g)
			}
			for _, d := range []float64{-0.05, 0.05} {
				if to := min(max(op+d, a.Low), a.High); a.Potential(&m, to) > phi*(1+1e-3) {
					t.Errorf("%s %d: op %.3f is no maximum, %.3f is higher", name, trial, op, to)
				}
			}
		}
	}
}

func TestAscent(t *testing.T) {
	var one [field.Side]int32
	one[20] = 2 * field.One
	a := field.HeadingAscent()
	for _, tt := range []struct {
		name string
		why  string
		m    [field.Side]int32
		op   float64
		dt   time.Duration
		want float64
		tol  float64
	}{
		{"silent field", "no peak: back to straight ahead with 0.3 s", [field.Side]int32{}, 1, 300 * ms, math.Exp(-1), 1e-12},
		{"on the peak", "the gradient is zero there", one, 4 * field.BinAngle, 5 * ms, 4 * field.BinAngle, 1e-12},
		{
			"right of it", "a peak to the left pulls left by 12 g Dt", one, 4*field.BinAngle - 0.1, 5 * ms,
			4*field.BinAngle - 0.1 + 12*0.1*math.Exp(-0.01/(2*math.Pi*math.Pi/16))*0.005, 1e-9,
		},
		{"end of the range", "the steering range ends at 100 deg", [field.Side]int32{25: field.One, 26: field.One}, 1.74, time.Second, 100 * math.Pi / 180, 1e-12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := a.Step(&tt.m, tt.op, tt.dt); !(math.Abs(got-tt.want) <= tt.tol) {
				t.Errorf("op %v, want %v: %s", got, tt.want, tt.why)
			}
		})
	}
	gaze := field.GazeAscent()
	if gaze.Gain != 6 {
		t.Errorf("gaze gain %v, want 6", gaze.Gain)
	}
}

// TestAscentGradient compares the weighted reduction with the difference
// quotient of the potential it is the derivative of.
func TestAscentGradient(t *testing.T) {
	rng := fresh(t)
	for _, a := range []field.Ascent{field.HeadingAscent(), field.SpeedAscent()} {
		var m [field.Side]int32
		mass := 0.0
		for i := range m {
			m[i] = int32(rng.IntN(field.One))
			mass += float64(m[i]) / field.One
		}
		for range 50 {
			op := float64(uniform(rng, float32(a.Low), float32(a.High)))
			const h = 1e-5
			slope := (a.Potential(&m, op+h) - a.Potential(&m, op-h)) / (2 * h)
			want := slope * a.Width * a.Width / mass
			if got := a.Gradient(&m, op); !(math.Abs(got-want) <= 1e-4) {
				t.Errorf("gradient %v at %.3f, difference quotient %v", got, op, want)
			}
		}
	}
}
