//go:build cuda

package worker

import (
	"math"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/drill"
)

// mostHalf is how far a field in half precision may be from one in single
// precision: the relative L2 distance of all distinct cells.
const mostHalf = 2e-3

// TestHalf steps a field in half precision beside the processor's in single
// precision. Rounding by chance keeps the distance from growing.
func TestHalf(t *testing.T) {
	s := setup(field.Collapsed)
	s.Half = true
	got, want, d := open(t, s), newJudge(t, &s), drill.New(11)
	for tick := 1; tick <= 100; tick++ {
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
	s := setup(field.Collapsed)
	s.Half = true
	e, d := open(t, s), drill.New(11)
	for range 20 {
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("kernel %s, hash %#x", e.worker.plan.Tick[1].Kernel, field.Hash(e))
}

// distance returns the relative L2 distance over all cells, and of the channel
// in which it is largest.
func distance(got, want field.Engine) (all, worst float64, channel int) {
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	var sum, norm float64
	for c := range field.Channels {
		got.Read(c, a)
		want.Read(c, b)
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
