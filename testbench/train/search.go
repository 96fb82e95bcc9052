package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/noise"
)

// A Search is CMA-ES with a diagonal covariance. Its exported fields are all of its
// state: a copy goes on as the original does.
type Search struct {
	Generation int       `json:"generation"` // told so far
	Sigma      float64   `json:"sigma"`
	Mean       []float64 `json:"mean"`
	Variance   []float64 `json:"variance"` // the diagonal
	PathS      []float64 `json:"path_s"`
	PathC      []float64 `json:"path_c"`
}

// NewSearch begins at a point with a standard deviation.
func NewSearch(start []float64, sigma float64) *Search {
	n := len(start)
	s := &Search{
		Sigma: sigma, Mean: slices.Clone(start), Variance: make([]float64, n), PathS: make([]float64, n),
		PathC: make([]float64, n),
	}
	for i := range s.Variance {
		s.Variance[i] = 1
	}
	return s
}

// Check complains about a state that no search can have.
func (s *Search) Check(n int) error {
	for _, list := range [][]float64{s.Mean, s.Variance, s.PathS, s.PathC} {
		if len(list) != n {
			return fmt.Errorf("train: a search in %d dimensions: want %d", len(list), n)
		}
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("train: a search holds %v", v)
			}
		}
	}
	if s.Generation < 0 || !(s.Sigma > 0) || math.IsInf(s.Sigma, 0) || slices.Min(s.Variance) <= 0 {
		return fmt.Errorf("train: a search of generation %d with sigma %v", s.Generation, s.Sigma)
	}
	return nil
}

// Ask returns the next generation's samples. The same seed gives the same ones until
// Tell.
func (s *Search) Ask(seed uint64, population int) [][]float64 {
	dice := noise.New(seed, fmt.Sprint("generation ", s.Generation))
	list := make([][]float64, population)
	for k := range list {
		list[k] = make([]float64, len(s.Mean))
		for i, m := range s.Mean {
			list[k][i] = m + float64(s.Sigma*float64(math.Sqrt(s.Variance[i])*dice.Normal()))
		}
	}
	return list
}

// A rate holds the constants of a search.
type rate struct {
	weights                 []float64
	mu, cs, ds, cc, c1, cmu float64
	expected                float64 // of |N(0, I)|
}

// rates returns Hansen's constants for n dimensions and a population.
func rates(n, population int) rate {
	d, half := float64(n), population/2
	r := rate{weights: make([]float64, half)}
	sum, squares := 0.0, 0.0
	for i := range r.weights {
		r.weights[i] = exact.Log(float64(half)+0.5) - exact.Log(float64(i+1))
		sum += r.weights[i]
	}
	for i := range r.weights {
		r.weights[i] /= sum
		squares += float64(r.weights[i] * r.weights[i])
	}
	r.mu = 1 / squares
	r.cs = (r.mu + 2) / (d + r.mu + 5)
	r.ds = 1 + float64(2*max(0, math.Sqrt((r.mu-1)/(d+1))-1)) + r.cs
	r.cc = (4 + r.mu/d) / (d + 4 + float64(2*r.mu)/d)
	separable := (d + 2) / 3
	r.c1 = separable * (2 / (float64((d+1.3)*(d+1.3)) + r.mu))
	r.cmu = separable * (2 * (r.mu - 2 + 1/r.mu) / (float64((d+2)*(d+2)) + r.mu))
	r.c1 = min(r.c1, 0.5)
	r.cmu = min(max(r.cmu, 0), 1-r.c1)
	r.expected = math.Sqrt(d) * (1 - 1/(4*d) + 1/float64(21*d*d))
	return r
}

// Tell takes the costs of the samples that Ask returned; the smallest is the best, and
// of equal ones the first.
func (s *Search) Tell(samples [][]float64, costs []float64) {
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	r := rates(len(s.Mean), len(samples))
	s.Generation++

	shift, length := make([]float64, len(s.Mean)), 0.0
	for i := range shift {
		for k, w := range r.weights {
			shift[i] += float64(w * ((samples[order[k]][i] - s.Mean[i]) / s.Sigma))
		}
		s.PathS[i] = float64((1-r.cs)*s.PathS[i]) + float64(math.Sqrt(float64(r.cs*(2-r.cs))*r.mu)*(shift[i]/math.Sqrt(s.Variance[i])))
		length += float64(s.PathS[i] * s.PathS[i])
	}
	length = math.Sqrt(length)
	s.adapt(&r, samples, order, shift, s.calm(&r, length))
	for i := range s.Mean {
		s.Mean[i] += float64(s.Sigma * shift[i])
	}
	s.Sigma *= exact.Exp(min(r.cs/r.ds*(length/r.expected-1), 1))
}

// calm reports whether the path of sigma is no longer than that of a random walk with
// the strides of so many generations: only then p_c grows.
func (s *Search) calm(r *rate, length float64) bool {
	left := 1.0 // (1 - c_s)^(2 generation)
	for range min(2*s.Generation, 10_000) {
		left *= 1 - r.cs
	}
	return length/math.Sqrt(1-left) < (1.4+2/float64(len(s.Mean)+1))*r.expected
}

// adapt brings the path and the diagonal up to date.
func (s *Search) adapt(r *rate, samples [][]float64, order []int, shift []float64, calm bool) {
	lost := 0.0 // of the variance, where p_c does not grow
	if !calm {
		lost = float64(r.c1 * float64(r.cc*(2-r.cc)))
	}
	for i := range s.Variance {
		s.PathC[i] *= 1 - r.cc
		if calm {
			s.PathC[i] += float64(math.Sqrt(float64(r.cc*(2-r.cc))*r.mu) * shift[i])
		}
		spread := 0.0
		for k, w := range r.weights {
			y := (samples[order[k]][i] - s.Mean[i]) / s.Sigma
			spread += float64(w * float64(y*y))
		}
		v := float64((1-r.c1-r.cmu+lost)*s.Variance[i]) + float64(r.c1*float64(s.PathC[i]*s.PathC[i])) + float64(r.cmu*spread)
		s.Variance[i] = max(v, 1e-20)
	}
}
