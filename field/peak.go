package field

import (
	"math"

	"fieldbrain/field/exact"
)

// A Peak is a self-stabilised bump of output along one axis.
type Peak struct {
	Position float64 // bins, centre of the output
	Mass     float64 // output in cells
	Width    int     // bins of the connected region
}

// Peaks appends to dst the connected regions of output along one axis, in the
// order of their first bin; on a periodic axis a region may span the seam. Bins
// with less than floor of full output separate regions.
func Peaks(dst []Peak, m *[Side]int32, wrap bool, floor float64) []Peak {
	limit := int32(floor * One)
	start := 0
	if wrap { // begin behind a gap, so that no region is cut in two
		for start < Side && m[start] > limit {
			start++
		}
		if start == Side {
			return append(dst, region(m, 0, Side))
		}
	}
	for i := 0; i < Side; {
		if m[(start+i)%Side] <= limit {
			i++
			continue
		}
		n := 1
		for i+n < Side && m[(start+i+n)%Side] > limit {
			n++
		}
		dst = append(dst, region(m, start+i, n))
		i += n
	}
	return dst
}

func region(m *[Side]int32, first, n int) Peak {
	var mass, moment float64
	for k := range n {
		v := float64(float64(m[(first+k)%Side]) / One)
		mass += v
		moment += float64(v * float64(first+k))
	}
	p := moment / mass
	return Peak{Position: p - float64(Side*math.Floor(p/Side)), Mass: mass, Width: n}
}

// Centroid returns the circular mean of the output along the X axis in bins,
// and its mass in cells. It is exact for outputs narrower than half the circle.
func Centroid(m *[Side]int32) (position, mass float64) {
	var c, s float64
	for i, q := range m {
		v, a := float64(float64(q)/One), float64(float64(i)*BinAngle)
		mass += v
		c += float64(v * exact.Cos(a))
		s += float64(v * exact.Sin(a))
	}
	if mass == 0 {
		return 0, 0
	}
	p := exact.Atan2(s, c) / BinAngle
	return p - float64(Side*math.Floor(p/Side)), mass
}
