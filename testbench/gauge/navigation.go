package gauge

import "time"

// BestNavigation is the most that Navigation gives.
const BestNavigation = 0.5

// Navigation returns BARN's metric of one drive: success times the optimal time
// over the time taken, the latter between 2 and 8 optimal times. See the package
// comment for its source.
func Navigation(success bool, optimal, taken time.Duration) float64 {
	if !success || optimal <= 0 {
		return 0
	}
	return optimal.Seconds() / min(max(taken, 2*optimal), 8*optimal).Seconds()
}
