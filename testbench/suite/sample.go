package suite

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The level of every interval, two-sided, and the normal quantile that goes
// with it, written down so that no compiler may fuse its computation.
const (
	confidence = 0.95
	normal     = 1.959963984540054 // of (1 + confidence) / 2
)

// A Sample sums up one metric over the runs that have it.
type Sample struct {
	N      int     `json:"n"`      // runs that have the metric
	Mean   float64 `json:"mean"`   //
	Std    float64 `json:"std"`    // of the sample, 0 for fewer than 2 runs
	Median float64 `json:"median"` //
	Low    float64 `json:"low"`    // Student's interval of the mean
	High   float64 `json:"high"`   //
}

// NewSample sums up the values; the zero Sample stands for none. It does not
// keep or change them.
func NewSample(values []float64) Sample {
	n := len(values)
	if n == 0 {
		return Sample{}
	}
	sorted := slices.Sorted(slices.Values(values))
	s := Sample{N: n, Mean: stat.Mean(values, nil), Median: stat.Quantile(0.5, stat.Empirical, sorted, nil)}
	s.Low, s.High = s.Mean, s.Mean
	if n < 2 {
		return s
	}
	s.Std = stat.StdDev(values, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + confidence) / 2)
	half := float64(t * stat.StdErr(s.Std, float64(n)))
	s.Low, s.High = s.Mean-half, s.Mean+half
	return s
}

// Wilson returns the interval of a share of which held of n trials are known;
// 0..1 when there were none.
func Wilson(held, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = normal
	p, m := float64(held)/float64(n), float64(n)
	middle := p + float64(z*z/(2*m))
	half := float64(z * math.Sqrt(float64(p*(1-p)/m)+float64(z*z/(4*m*m))))
	scale := 1 + float64(z*z/m)
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}
