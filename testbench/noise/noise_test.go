package noise_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"fieldbrain/testbench/noise"
)

func TestNormalHasUnitMoments(t *testing.T) {
	s := noise.New(1, "moments")
	const n = 200_000
	var sum, squares, cubes float64
	for range n {
		x := s.Normal()
		sum, squares, cubes = sum+x, squares+x*x, cubes+x*x*x
	}
	// Four standard errors of each estimate.
	if mean := sum / n; math.Abs(mean) > 4/math.Sqrt(n) {
		t.Errorf("mean = %v", mean)
	}
	if v := squares / n; math.Abs(v-1) > 4*math.Sqrt(2.0/n) {
		t.Errorf("variance = %v", v)
	}
	if skew := cubes / n; math.Abs(skew) > 4*math.Sqrt(15.0/n) {
		t.Errorf("third moment = %v", skew)
	}
}

func TestStreamsAreIndependent(t *testing.T) {
	a, b := noise.New(7, "sonar"), noise.New(7, "floor")
	const n = 100_000
	var product float64
	for range n {
		product += a.Normal() * b.Normal()
	}
	if r := product / n; math.Abs(r) > 4/math.Sqrt(n) {
		t.Errorf("correlation of two streams = %v", r)
	}
}

func TestUniformStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := noise.New(rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "name"))
		for range 100 {
			if u := s.Uniform(); u < 0 || u >= 1 {
				t.Fatalf("Uniform() = %v", u)
			}
			if x := s.Normal(); math.IsNaN(x) || math.Abs(x) > 9 {
				t.Fatalf("Normal() = %v", x)
			}
		}
	})
}

func TestSameSeedSameNumbers(t *testing.T) {
	a, b, c := noise.New(3, "x"), noise.New(3, "x"), noise.New(4, "x")
	differ := false
	for range 100 {
		x := a.Uint64()
		if y := b.Uint64(); x != y {
			t.Fatalf("same stream gave %x and %x", x, y)
		}
		differ = differ || x != c.Uint64()
	}
	if !differ {
		t.Error("another seed gave the same numbers")
	}
}

func Example() {
	s := noise.New(42, "front sonar")
	fmt.Printf("%.3f %.3f\n", s.Uniform(), s.Between(2, 4))
	// Output: 0.935 3.424
}
