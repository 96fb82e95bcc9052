package gauge_test

import (
	"fmt"
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/world"
)

// A minute at full lock in a room of 12 m2.
func Example() {
	circling := gauge.NewCircling(12)
	const radius, speed = 0.17, 0.33
	for i := range 600 {
		now := time.Duration(i) * 100 * time.Millisecond
		way := speed * now.Seconds()
		place := world.Vec{X: 2, Y: 1.5}.Add(world.Unit(way / radius).Scale(radius))
		circling.Watch(now, place, way, 4) // four cells, all seen before
	}
	fmt.Println("more than 50 s of circling:", circling.Time() > 50*time.Second)
	// Output: more than 50 s of circling: true
}
