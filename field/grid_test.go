package field_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbrain/field"
)

// TestGridMaps checks the anchors of B.1.
func TestGridMaps(t *testing.T) {
	const deg = math.Pi / 180
	for _, tt := range []struct {
		name           string
		got, want, tol float64
	}{
		{"bearing of bin 16", field.Bearing(16), 0, 0},
		{"bearing of bin 24", field.Bearing(24), 90 * deg, 1e-12},
		{"bearing of bin 0", field.Bearing(0), -180 * deg, 1e-12},
		{"bin of 11.25 deg", field.BearingBin(11.25 * deg), 17, 1e-12},
		{"bin of -450 deg", field.BearingBin(-450 * deg), 8, 1e-9},
		{"bin of 180 deg", field.BearingBin(180 * deg), 0, 1e-9},
		{"range of bin 3", field.Range(3), 0.05, 1e-12},
		{"range of bin 12", field.Range(12), 0.19, 0.005},
		{"range of bin 16", field.Range(16), 0.34, 0.005},
		{"range of bin 20", field.Range(20), 0.61, 0.005},
		{"range of bin 24", field.Range(24), 1.11, 0.005},
		{"range of bin 28", field.Range(28), 2.0, 1e-9},
		{"bin of 0 m", field.RangeBin(0), field.RangeBin(0.01), 0},
		{"bin of full reverse", field.ThrottleBin(-1), 3, 0},
		{"bin of rest", field.ThrottleBin(0), 15.5, 0},
		{"bin of full speed", field.ThrottleBin(1), 28, 0},
		{"bin of feature 0", field.FeatureBin(0), 3, 0},
		{"bin of feature 1", field.FeatureBin(1), 28, 0},
	} {
		if !(math.Abs(tt.got-tt.want) <= tt.tol) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

// TestGridRoundTrips: bins and quantities are each other's inverse.
func TestGridRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bin := rapid.Float64Range(0, 31.999).Draw(t, "bin")
		if got := field.BearingBin(field.Bearing(bin)); !(math.Abs(math.Remainder(got-bin, field.Side)) <= 1e-9) {
			t.Errorf("bearing bin %v comes back as %v", bin, got)
		}
		if got := field.RangeBin(field.Range(bin)); !(math.Abs(got-bin) <= 1e-9) {
			t.Errorf("range bin %v comes back as %v", bin, got)
		}
		if got := field.ThrottleBin(field.Throttle(bin)); !(math.Abs(got-bin) <= 1e-9) {
			t.Errorf("throttle bin %v comes back as %v", bin, got)
		}
		psi := rapid.Float64Range(-1000, 1000).Draw(t, "psi")
		if b := field.BearingBin(psi); !(b >= 0 && b < field.Side) {
			t.Errorf("bearing %v has bin %v outside the circle", psi, b)
		}
	})
}

func TestMask(t *testing.T) {
	for _, tt := range []struct {
		mask  field.Mask
		name  string
		axes  int
		cells int
	}{
		{field.Uniform, "-", 0, 1},
		{field.X, "X", 1, 32},
		{field.Y, "Y", 1, 32},
		{field.XZ, "XZ", 2, 1024},
		{field.XYZ, "XYZ", 3, 32768},
	} {
		if tt.mask.String() != tt.name || tt.mask.Axes() != tt.axes || tt.mask.Cells() != tt.cells {
			t.Errorf("%v: %d axes, %d cells, want %s, %d, %d", tt.mask, tt.mask.Axes(), tt.mask.Cells(), tt.name, tt.axes, tt.cells)
		}
	}
}

// TestKernels: the weights are those of the Gaussians, and they sum to one, so
// that a uniform output keeps its value exactly.
func TestKernels(t *testing.T) {
	for _, tt := range []struct {
		name  string
		half  []int32
		sigma float64
	}{{"excitation", field.Excite(), 2}, {"inhibition", field.Inhibit(), 4}} {
		sum, norm := tt.half[0], 1.0
		for k, w := range tt.half[1:] {
			sum += 2 * w
			norm += 2 * math.Exp(-float64((k+1)*(k+1))/(2*tt.sigma*tt.sigma))
		}
		if sum != field.One {
			t.Errorf("%s sums to %d, want %d", tt.name, sum, field.One)
		}
		for k, w := range tt.half {
			want := field.One * math.Exp(-float64(k*k)/(2*tt.sigma*tt.sigma)) / norm
			if !(math.Abs(float64(w)-want) <= 2) { // the centre makes up for the rounding of the others
				t.Errorf("%s at %d: %d, the Gaussian has %.2f", tt.name, k, w, want)
			}
		}
	}
}

func TestOutputs(t *testing.T) {
	for _, tt := range []struct {
		u, sigmoid, ramp float32
	}{{-100, 0, 0}, {-5, 0, 0}, {-3, 0, 0}, {0, 0.5, 0}, {0.25, 0.5623, 0.25}, {1, 0.7407, 1}, {3, 1, 1}, {100, 1, 1}} {
		if got := field.Sigmoid(tt.u); !(math.Abs(float64(got-tt.sigmoid)) <= 1e-4) {
			t.Errorf("phi(%v) = %v, want %v", tt.u, got, tt.sigmoid)
		}
		if got := field.Ramp(tt.u); got != tt.ramp {
			t.Errorf("ramp(%v) = %v, want %v", tt.u, got, tt.ramp)
		}
	}
	if field.Sigmoid(-3) != 0 || field.Sigmoid(3) != 1 {
		t.Error("the sigmoid must reach 0 and 1 exactly")
	}
	if got := []uint16{field.Q15(0), field.Q15(0.5), field.Q15(1), field.Amari.Output(0), field.Linear.Output(0.25)}; !cmp.Equal(got, []uint16{0, 16384, 32768, 16384, 8192}) {
		t.Errorf("Q15 outputs %v", got)
	}
	slope := (field.Sigmoid(0.01) - field.Sigmoid(-0.01)) / 0.02
	if !(math.Abs(float64(slope)-0.25) <= 1e-3) {
		t.Errorf("slope %v at 0, want 0.25", slope)
	}
}

// TestNoise: the counter-based numbers have zero mean, unit variance, bounded
// size, and do not repeat from cell to cell, tick to tick or key to key.
func TestNoise(t *testing.T) {
	var sum, square, neighbours, ticks float64
	key, next := field.TickKey(7, 1), field.TickKey(8, 1)
	const n = field.Cells
	before := 0.0
	for cell := range n {
		xi := float64(field.Noise(cell, 3, key))
		if !(math.Abs(xi) < 3.4642) {
			t.Fatalf("|xi| = %v", xi)
		}
		sum, square = sum+xi, square+xi*xi
		neighbours += xi * before
		ticks += xi * float64(field.Noise(cell, 3, next))
		before = xi
	}
	const error5 = 5.0 / 181 // five standard errors of a mean over 32768
	for name, got := range map[string]float64{
		"mean": sum / n, "variance - 1": square/n - 1, "neighbours": neighbours / n, "ticks": ticks / n,
	} {
		if !(math.Abs(got) <= error5) {
			t.Errorf("%s %.4f, want 0 +- %.4f", name, got, error5)
		}
	}
	if field.TickKey(1, 1) == field.TickKey(1, 2) || field.TickKey(1, 1) == field.TickKey(1<<32+1, 1) {
		t.Error("keys repeat")
	}
}
