package verdict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Moved returns how restless the machine was by the times of a yardstick: the
// larger of the relative change between the halves of the run and the spread of
// the middle half of its rounds. It explains wide intervals and judges nothing.
func Moved(times []float64) float64 {
	half := len(times) / 2
	if half == 0 {
		return 0
	}
	drift := math.Abs(Median(times[half:])/Median(times[:half]) - 1)
	s := slices.Sorted(slices.Values(times))
	spread := stat.Quantile(0.75, stat.Empirical, s, nil) - stat.Quantile(0.25, stat.Empirical, s, nil)
	return max(drift, spread/middle(s))
}
