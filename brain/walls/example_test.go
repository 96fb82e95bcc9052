package walls_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/walls"
)

// One beam is turned by 110 degrees before two walls: one 1 m ahead of where the car looked
// first, one 0.8 m to the left.
func Example() {
	const deg = math.Pi / 180
	var c walls.Compass
	for turn := -20.0; turn <= 90; turn += 4 {
		s, n := math.Sincos(turn * deg)
		nearest := 1 / max(n, 0.1)
		if s > 0 {
			nearest = min(nearest, 0.8/s)
		}
		c.Hear(ground.Pose{Heading: float32(turn * deg)}, &ground.Beam{Range: float32(nearest)})
	}
	off, sure := c.Off(95 * deg)
	fmt.Printf("%.0f deg, sure: %v\n", off/deg, sure)
	// Output: 5 deg, sure: true
}
