package line_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/line"
	"fieldbrain/robot"
)

// The car comes over a line that is a little to its left, and then over a gap.
func Example() {
	var l line.Follower
	look := line.Look{
		Light: [robot.NumFloor]float32{0.3, 0.3, 0.3}, Dark: [robot.NumFloor]float32{0.1, 0.1, 0.1},
		Floor: [robot.NumFloor]float32{0.2, 0.1, 0.3}, // left, middle, right
		Fresh: true, Wanted: true, Speed: 0.2, Dt: 0.005,
	}
	for range 20 {
		l.Update(&look)
	}
	bearing, weight := l.Pull()
	fmt.Printf("follows %v, pulled by %.0f deg, weight %.0f\n", l.Following(), bearing*180/math.Pi, weight)
	look.Floor = look.Light
	for range 100 { // 0.1 m
		l.Update(&look)
	}
	fmt.Printf("in a gap: follows %v, seen %v, knows where it runs %v\n", l.Following(), l.Confidence() > 0, l.Leads())
	// Output:
	// follows true, pulled by 13 deg, weight 1
	// in a gap: follows true, seen false, knows where it runs true
}
