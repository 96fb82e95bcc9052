package exact_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"testing"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/tier"
)

func ExampleExp() {
	fmt.Printf("%.12f\n", exact.Exp(1))
	fmt.Printf("%.12f\n", exact.Atan2(-1, -1)*4/math.Pi)
	// Output:
	// 2.718281828459
	// -3.000000000000
}

// ulps returns how many representable values lie between a and b.
func ulps(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / (math.Nextafter(math.Abs(b), math.Inf(1)) - math.Abs(b))
}

func TestAgainstStandardLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	uniform := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	tests := []struct {
		name      string
		got, want func(float64) float64
		lo, hi    float64
		ulp       float64 // allowed where the value is not near a zero
	}{
		{"Exp", exact.Exp, math.Exp, -50, 50, 4},
		{"Log", exact.Log, math.Log, 1e-6, 1e6, 4},
		{"Sin", exact.Sin, math.Sin, -20, 20, 4},
		{"Cos", exact.Cos, math.Cos, -20, 20, 4},
		{"Atan2", func(x float64) float64 { return exact.Atan2(x, 1) }, math.Atan, -30, 30, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 200_000 {
				x := uniform(tt.lo, tt.hi)
				got, want := tt.got(x), tt.want(x)
				if u := ulps(got, want); u > tt.ulp && math.Abs(got-want) > 1e-15 {
					t.Fatalf("%s(%v) = %v, want %v (%.1f ulp)", tt.name, x, got, want, u)
				}
			}
		})
	}
}

func TestAtan2Quadrants(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		x, y := rng.NormFloat64(), rng.NormFloat64()
		if got, want := exact.Atan2(y, x), math.Atan2(y, x); math.Abs(got-want) > 2e-15 {
			t.Fatalf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
	for _, p := range [][2]float64{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {0, 0}} {
		if got, want := exact.Atan2(p[0], p[1]), math.Atan2(p[0], p[1]); math.Abs(got-want) > 1e-15 {
			t.Errorf("Atan2(%v, %v) = %v, want %v", p[0], p[1], got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, a := range []float64{-9, -math.Pi, -1, 0, 1, math.Pi, 7, 100} {
		w := exact.Wrap(a)
		if w < -math.Pi || w >= math.Pi+1e-12 || math.Abs(math.Sin(w)-math.Sin(a)) > 1e-13 {
			t.Errorf("Wrap(%v) = %v", a, w)
		}
	}
}

func TestWrapQuarter(t *testing.T) {
	for _, c := range [][2]float64{{0, 0}, {0.7, 0.7}, {0.8, 0.8 - math.Pi/2}, {-0.8, math.Pi/2 - 0.8}, {math.Pi, 0}, {-7, 2*math.Pi - 7}} {
		if got := exact.WrapQuarter(c[0]); math.Abs(got-c[1]) > 1e-15 {
			t.Errorf("WrapQuarter(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range [][2]float64{{-3, -1}, {-1, -1}, {0.5, 0.5}, {2, 2}, {math.Inf(1), 2}} {
		if got := exact.Clip(c[0], -1, 2); got != c[1] {
			t.Errorf("%v within -1..2 is %v, want %v", c[0], got, c[1])
		}
	}
	if got := exact.Clip(math.NaN(), -1, 2); !math.IsNaN(got) {
		t.Errorf("what is no number becomes %v", got)
	}
}

// TestHash pins the bits: the same digest must come out on amd64 and on arm64.
func TestHash(t *testing.T) {
	h := uint64(14695981039346656037)
	mix := func(x float64) { h = (h ^ math.Float64bits(x)) * 1099511628211 }
	for i := range 20_000 {
		x := float64(i-10_000) * 0.00137
		mix(exact.Exp(x))
		mix(exact.Sin(x))
		mix(exact.Cos(x))
		mix(exact.Atan2(x, 0.7))
		mix(exact.Log(math.Abs(x) + 0.01))
	}
	const want uint64 = 0xb524cad3c97fd2e0
	if h != want {
		t.Errorf("digest %#x, want %#x", h, want)
	}
}

// equalEverywhere are the packages whose results are the same bits on every machine.
// field/reference promises a tolerance instead.
var equalEverywhere = []string{
	"fieldbrain/brain",
	"fieldbrain/brain/belief",
	"fieldbrain/brain/ground",
	"fieldbrain/brain/line",
	"fieldbrain/brain/plan",
	"fieldbrain/brain/progress",
	"fieldbrain/brain/rollout",
	"fieldbrain/brain/route",
	"fieldbrain/brain/stall",
	"fieldbrain/brain/steer",
	"fieldbrain/brain/table",
	"fieldbrain/field",
	"fieldbrain/field/ablation",
	"fieldbrain/field/cpu",
	"fieldbrain/field/exact",
	"fieldbrain/robot/picarx",
	"fieldbrain/robot/safety",
	"fieldbrain/testbench",
	"fieldbrain/testbench/family",
	"fieldbrain/testbench/gauge",
	"fieldbrain/testbench/hat",
	"fieldbrain/testbench/noise",
	"fieldbrain/testbench/oracle",
	"fieldbrain/testbench/pilots",
	"fieldbrain/testbench/plant",
	"fieldbrain/testbench/policy",
	"fieldbrain/testbench/scenarios",
	"fieldbrain/testbench/suite",
	"fieldbrain/testbench/train",
	"fieldbrain/testbench/trials",
	"fieldbrain/testbench/vector",
	"fieldbrain/testbench/vector/env",
	"fieldbrain/testbench/world",
}

// TestNothingIsFused compiles all of them at once: each for itself would link a program
// for its test, and compile again what the packages share.
func TestNothingIsFused(t *testing.T) {
	tier.Heavy(t, "compiles for arm64")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("no go command to compile with: %v", err)
	}
	at, err := exact.Fused(equalEverywhere...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range at {
		t.Errorf("fused multiply-add at %s: wrap the product in float64(...), or float32(...)", p)
	}
	if at, err = exact.Fused("fieldbrain/field/reference"); err != nil || len(at) == 0 {
		t.Errorf("none is found in the reference, which has many: %v", err)
	}
}
