//go:build cuda

package worker

import (
	"math"
	"os"
	"strconv"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// mostHalf is how far a field in half precision may be from one in single
// precision: the relative L2 distance of all distinct cells.
const mostHalf = 2e-3

// TestHalf steps a field in half precision beside the processor's in single
// precision. Rounding by chance keeps the distance from growing.
func TestHalf(t *testing.T) {
	s := setup(field.Collapsed)
	s.Half = true
	got, want, d := open(t, s), newJudge(t, &s), exercise.New(11)
	for tick, last := 1, min(tier.Count(t, "ticks", 30, 30, 100), tier.Fewer(t, "ticks", 100, 10)); tick <= last; tick++ {
		in := d.Next()
		if _, err := got.Step(in); err != nil {
			t.Fatal(err)
		}
		if _, err := want.Step(in); err != nil {
			t.Fatal(err)
		}
		if tick == 1 || tick == 10 || tick == 100 {
			all, worst, channel := distance(got, want)
			t.Logf("after %d ticks: relative L2 %.2e, worst channel %d %.2e", tick, all, channel, worst)
			if !(all <= mostHalf) {
				t.Errorf("after %d ticks the field is %.2e away, want at most %.0e", tick, all, mostHalf)
			}
		}
	}
}

// TestHalfHash prints the field's hash after some ticks in half precision.
func TestHalfHash(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s := setup(field.Collapsed)
	s.Half = true
	e, d := open(t, s), exercise.New(11)
	for range 20 {
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("kernel %s, hash %#x", e.worker.program.Tick[1].Kernel, field.Hash(e))
}

// distance returns the relative L2 distance over all cells, and of the channel
// in which it is largest.
func distance(got, want field.Engine) (all, worst float64, channel int) {
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	var sum, norm float64
	for c := range field.Channels {
		got.Read(field.Section(c), a)
		want.Read(field.Section(c), b)
		var d, n float64
		for i := range a {
			e := float64(a[i]) - float64(b[i])
			d += e * e
			n += float64(b[i]) * float64(b[i])
		}
		if r := math.Sqrt(d / max(n, 1e-30)); r > worst {
			worst, channel = r, c
		}
		sum += d
		norm += n
	}
	return math.Sqrt(sum / norm), worst, channel
}

// TestHalfProof: a field in half precision passes its proof with room to spare.
// The log says how much of what the proof allows is used.
func TestHalfProof(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s := setup(field.Collapsed)
	s.Half = true
	got := open(t, s)
	probes := 6
	if n, err := strconv.Atoi(os.Getenv("PROBES")); err == nil { // for a measurement
		probes = n
	}
	most := [...]float64{-1, -1, 0} // totals, bins, heading
	for seed := range probes {
		got.must(gpu.OrderRest, 0)
		want, d := newJudge(t, &s), exercise.New(uint32(seed))
		for range 2 * exercise.Hold {
			in := d.Next()
			a, err := got.Step(in)
			if err != nil {
				t.Fatal(err)
			}
			b, err := want.Step(in)
			if err != nil {
				t.Fatal(err)
			}
			if what := gpu.Strays(a, b); what != "" {
				t.Errorf("exercise %d, tick %d: %s", seed, in.Tick, what)
			}
			most = furthest(most, a, b)
		}
	}
	t.Logf("%d exercises: beyond a tenth totals differ by %.4f cells, bins by %.4f, the heading input by %.4f",
		probes, most[0], most[1], most[2])
}

// furthest returns the largest differences so far: of totals and of sums along
// an axis in cells, beyond a tenth of the larger one; of the heading input.
func furthest(most [3]float64, a, b *field.Output) [3]float64 {
	beyond := func(i int, x, y int32) {
		d := math.Abs(float64(x)-float64(y)) - 0.1*float64(max(x, y))
		most[i] = max(most[i], d/field.One)
	}
	for c := range a.Marginals {
		m, n := &a.Marginals[c], &b.Marginals[c]
		beyond(0, m.Total, n.Total)
		for i := range field.Side {
			beyond(1, m.X[i], n.X[i])
			beyond(1, m.Y[i], n.Y[i])
			beyond(1, m.Z[i], n.Z[i])
		}
	}
	for i := range a.Heading {
		most[2] = max(most[2], math.Abs(float64(a.Heading[i])-float64(b.Heading[i])))
	}
	return most
}
