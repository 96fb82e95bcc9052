package gauge_test

import (
	"fmt"
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/world"
)

// A minute at full lock in a room of 12 m2.
func Example() {
	room := &world.World{Max: world.Vec{X: 4, Y: 3}}
	room.Walls = world.Room(room.Min, room.Max)
	circling := gauge.NewCircling(gauge.NewGround(room, world.Vec{X: 2.17, Y: 1.5}, 0.09))
	const radius, speed = 0.17, 0.33
	for i := range 600 {
		now := time.Duration(i) * 100 * time.Millisecond
		way := speed * now.Seconds()
		place := world.Vec{X: 2, Y: 1.5}.Add(world.Unit(way / radius).Scale(radius))
		circling.Watch(now, place, way, 0)
	}
	fmt.Println("more than 50 s of circling:", circling.Time() > 50*time.Second)
	// Output: more than 50 s of circling: true
}
