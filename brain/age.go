package brain

import (
	"math"
	"time"
)

// Never marks, in a State, an event that has not happened.
const Never = math.MinInt64

// age returns how long before now an instant was.
func age(at, now time.Duration) int64 {
	if at == 0 {
		return Never
	}
	return int64(now - at)
}

// instant returns when something was that was an age before at.
func instant(age int64, at time.Duration) time.Duration {
	if age == Never {
		return 0
	}
	return max(0, at-time.Duration(age))
}
