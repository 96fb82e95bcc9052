package verdict

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// resamples is how many times Difference draws the pairs anew.
const resamples = 4000

// A Gap is a mean difference of pairs and where the true one lies.
type Gap struct {
	Mean  float64 `json:"mean"`  // subject minus other
	Low   float64 `json:"low"`   // the true mean is at least this
	High  float64 `json:"high"`  // and at most this
	Pairs int     `json:"pairs"` // it was made of
}

// Difference returns the mean of subject[i] - other[i] with its interval: the
// middle 95 % of the means of as many pairs drawn anew with replacement. The
// draws are the same in every call, so equal pairs have equal intervals.
func Difference(subject, other []float64) (Gap, error) {
	n := len(subject)
	if n != len(other) || n == 0 {
		return Gap{}, fmt.Errorf("verdict: %d values and %d of the other: want pairs", n, len(other))
	}
	gaps := make([]float64, n)
	for i := range gaps {
		gaps[i] = subject[i] - other[i]
		if math.IsNaN(gaps[i]) || math.IsInf(gaps[i], 0) {
			return Gap{}, fmt.Errorf("verdict: pair %d: %v and %v: want finite values", i+1, subject[i], other[i])
		}
	}
	means := make([]float64, resamples)
	draw := uint64(1)
	for r := range means {
		sum := 0.0
		for range n {
			sum += gaps[pick(&draw, n)]
		}
		means[r] = sum / float64(n)
	}
	slices.Sort(means)
	const tail = (1 - Confidence) / 2
	sum := 0.0
	for _, g := range gaps {
		sum += g
	}
	cut := int(tail * resamples)
	return Gap{Mean: sum / float64(n), Low: means[cut], High: means[resamples-1-cut], Pairs: n}, nil
}

// pick draws a number below n (splitmix64, Steele, Lea and Flood 2014,
// doi:10.1145/2660193.2660195).
func pick(state *uint64, n int) int {
	*state += 0x9E3779B97F4A7C15
	z := *state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return int((z >> 33) % uint64(n))
}

// A Contrast counts the pairs in which only one of two did something.
type Contrast struct {
	Ours   int     `json:"ours"`   // only the subject did
	Theirs int     `json:"theirs"` // only the other did
	Pairs  int     `json:"pairs"`
	P      float64 `json:"p"` // of a contrast as large or larger where both do it equally often
}

// Discordant compares who did something in the same rounds: the exact two-sided
// binomial test on the pairs that differ (McNemar 1947, doi:10.1007/BF02295996).
func Discordant(ours, theirs []bool) (Contrast, error) {
	if len(ours) != len(theirs) || len(ours) == 0 {
		return Contrast{}, fmt.Errorf("verdict: %d rounds and %d of the other: want pairs", len(ours), len(theirs))
	}
	c := Contrast{Pairs: len(ours), P: 1}
	for i := range ours {
		switch {
		case ours[i] && !theirs[i]:
			c.Ours++
		case theirs[i] && !ours[i]:
			c.Theirs++
		}
	}
	if n := c.Ours + c.Theirs; n > 0 {
		heads := distuv.Binomial{N: float64(n), P: 0.5}
		c.P = min(1, 2*heads.CDF(float64(min(c.Ours, c.Theirs))))
	}
	return c, nil
}

// Proportion returns Clopper and Pearson's interval of a share of which held of n are
// known; 0 to 1 when there are none.
func Proportion(held, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	i := share(held, n, 1)
	return i.Low, i.High
}
