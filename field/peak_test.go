package field_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fieldbrain/field"
)

// outputs returns a row with the given outputs, in tenths, from a first bin on.
func outputs(first int, tenths ...int) *[field.Side]int32 {
	var m [field.Side]int32
	for i, v := range tenths {
		m[(first+i)%field.Side] = int32(v * field.One / 10)
	}
	return &m
}

func TestPeaks(t *testing.T) {
	for _, tt := range []struct {
		name string
		why  string
		m    *[field.Side]int32
		wrap bool
		want []field.Peak
	}{
		{"silence", "no output, no peak", outputs(0), true, nil},
		{"one", "the centre of gravity of the region", outputs(10, 5, 10, 5), true, []field.Peak{{11, 2, 3}}},
		{"between two bins", "half the weight on each side", outputs(10, 10, 10), true, []field.Peak{{10.5, 2, 2}}},
		{"two", "a gap separates them", outputs(4, 10, 0, 0, 10), true, []field.Peak{{4, 1, 1}, {7, 1, 1}}},
		{"below the floor", "one tenth is not above the floor", outputs(4, 10, 1, 10), true, []field.Peak{{4, 1, 1}, {6, 1, 1}}},
		{"across the seam", "a circle has no end", outputs(31, 10, 10), true, []field.Peak{{31.5, 2, 2}}},
		{"at both ends", "a bounded axis has two", outputs(31, 10, 10), false, []field.Peak{{0, 1, 1}, {31, 1, 1}}},
		{"everywhere", "one region of 32 bins", outputs(0, repeat(5, field.Side)...), true, []field.Peak{{15.5, 16, field.Side}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := field.Peaks(nil, tt.m, tt.wrap, 0.1)
			if d := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-3), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, d)
			}
		})
	}
}

func repeat(v, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func TestCentroid(t *testing.T) {
	for _, tt := range []struct {
		name           string
		m              *[field.Side]int32
		position, mass float64
	}{
		{"silence", outputs(0), 0, 0},
		{"one bin", outputs(7, 10), 7, 1},
		{"symmetric", outputs(7, 5, 10, 5), 8, 2},
		{"across the seam", outputs(30, 5, 10, 10, 5), 31.5, 3},
	} {
		position, mass := field.Centroid(tt.m)
		if !(math.Abs(math.Remainder(position-tt.position, field.Side)) <= 1e-3) || !(math.Abs(mass-tt.mass) <= 1e-3) {
			t.Errorf("%s: %.4f with mass %.4f, want %v with %v", tt.name, position, mass, tt.position, tt.mass)
		}
	}
}

// TestMarginals: the sums along each axis agree with the field itself.
func TestMarginals(t *testing.T) {
	rng := fresh(t)
	p := field.Default()
	r := newRig(t, p)
	var out *field.Output
	for range 30 {
		randomInput(rng, &r.in)
		var err error
		if out, err = r.Step(&r.in); err != nil {
			t.Fatal(err)
		}
		r.in.Tick++
	}
	for c := range p.Table {
		var want field.Marginal
		u, m := r.activation(c), p.Table[c].Mask
		distinct(m, func(x, y, z int) {
			q := int32(p.Table[c].Regime.Kind.Output(u[(x*field.Side+y)*field.Side+z]))
			want.Total += q
			for axis, row := range []*[field.Side]int32{&want.X, &want.Y, &want.Z} {
				if m>>axis&1 == 1 {
					row[[3]int{x, y, z}[axis]] += q
				}
			}
		})
		if out.Marginals[c] != want {
			t.Errorf("channel %d %s: total %d, want %d, or a row differs", c, p.Table[c].Name, out.Marginals[c].Total, want.Total)
		}
		if got := out.Marginals[c].Sum(); math.Abs(float64(got)-float64(want.Total)/field.One) > 1e-3 {
			t.Errorf("channel %d: sum %v of total %d", c, got, want.Total)
		}
	}
}
