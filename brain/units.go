package brain

import "math"

const deg = math.Pi / 180

// within clips an angle to +-limit.
func within(a, limit float32) float32 { return min(max(a, -limit), limit) }
