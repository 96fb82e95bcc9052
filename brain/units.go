package brain

import "math"

const deg = math.Pi / 180

// clip returns x within low..high.
func clip(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }

// within clips an angle to +-limit.
func within(a, limit float32) float32 { return min(max(a, -limit), limit) }
