package field_test

import (
	"math"
	"testing"

	"fieldbrain/field"
)

// TestHalf: what half precision has comes back; all else becomes a neighbour, in the mean
// itself; what is too large becomes infinite.
func TestHalf(t *testing.T) {
	for _, v := range []float32{0, 1, -5, 0.5, 2048, -65504, 0x1p-24, 0x1p-14} {
		for _, dice := range []uint32{0, 0x1fff} {
			if got := field.Half(v, dice); got != v {
				t.Errorf("%v with %#x gives %v", v, dice, got)
			}
		}
	}
	v, sum := float32(-1.0003), 0.0
	for dice := range uint32(1 << 13) {
		got := field.Half(v, dice)
		if got != -1 && got != -1-0x1p-10 {
			t.Fatalf("%v gives %v, no neighbour", v, got)
		}
		sum += float64(got)
	}
	if mean := sum / (1 << 13); math.Abs(mean-float64(v)) > 0x1p-22 {
		t.Errorf("%v is %v in the mean", v, mean)
	}
	if got := field.Half(70000, 0); !math.IsInf(float64(got), 1) {
		t.Errorf("70000 gives %v", got)
	}
}
