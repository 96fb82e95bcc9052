package verdict

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the share of runs whose interval covers the true ratio.
const Confidence = 0.95

// Fewest is the number of rounds below which no interval reaches Confidence.
const Fewest = 6

// An Interval is the median of ratios and where the true one lies.
type Interval struct {
	Ratio  float64 `json:"ratio"`  // median over the rounds
	Low    float64 `json:"low"`    // the true ratio is at least this
	High   float64 `json:"high"`   // and at most this
	Rounds int     `json:"rounds"` // pairs it was made of
	Level  float64 `json:"level"`  // how sure that is, 0..1; below Confidence with fewer than Fewest rounds
}

// Pairs returns the interval of subject[i] / yardstick[i]. Both hold positive,
// finite times (or rates) of the same rounds.
func Pairs(subject, yardstick []float64) (Interval, error) {
	if len(subject) != len(yardstick) || len(subject) == 0 {
		return Interval{}, fmt.Errorf("verdict: %d times and %d of the yardstick: want pairs", len(subject), len(yardstick))
	}
	ratios := make([]float64, len(subject))
	for i := range ratios {
		if !sound(subject[i]) || !sound(yardstick[i]) {
			return Interval{}, fmt.Errorf("verdict: round %d: %v over %v: want positive, finite times", i+1, subject[i], yardstick[i])
		}
		ratios[i] = subject[i] / yardstick[i]
	}
	return interval(ratios), nil
}

// Scaled returns the interval of values[i] / unit: for a limit that is a time
// and not another program's. Nothing cancels in it, so it is about this machine
// at this hour.
func Scaled(values []float64, unit float64) (Interval, error) {
	return Pairs(values, slices.Repeat([]float64{unit}, len(values)))
}

// sound reports whether a time can be part of a ratio.
func sound(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// interval returns the median of the ratios, which it sorts, and its interval.
func interval(ratios []float64) Interval {
	slices.Sort(ratios)
	n := len(ratios)
	heads := distuv.Binomial{N: float64(n), P: 0.5}
	k := 1 // the smallest and the largest, which few rounds have to do with
	for 2*k <= n && heads.CDF(float64(k)) <= (1-Confidence)/2 {
		k++
	}
	return Interval{
		Ratio: middle(ratios), Low: ratios[k-1], High: ratios[n-k],
		Rounds: n, Level: max(0, 1-2*heads.CDF(float64(k-1))),
	}
}

// Median returns the middle of the values, which stay as they are, or 0 when
// there are none. Of two middles it takes the lower one, which is a value that
// was measured.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return middle(slices.Sorted(slices.Values(values)))
}

func middle(sorted []float64) float64 { return stat.Quantile(0.5, stat.Empirical, sorted, nil) }

// Short returns the ratio with its interval for a table, "-" when there are no
// rounds.
func (i Interval) Short() string {
	if i.Rounds == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", i.Ratio, i.Low, i.High)
}
