package vector_test

import (
	"fmt"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// A thousand cars drive straight at a wall, each from its own distance.
func Example() {
	room := &world.World{Walls: world.Room(world.Vec{}, world.Vec{X: 4, Y: 2})}
	site := vector.Site{World: room, Car: plant.Default(), Start: plant.Pose{At: world.Vec{X: 1, Y: 1}}}
	fleet, err := vector.New(vector.Options{Cars: 1000, Sites: []vector.Site{site}, Profile: plant.P0, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for car := range fleet.Cars() {
		fleet.Reset(car, 0, plant.Pose{At: world.Vec{X: 0.2 + 0.003*float64(car), Y: 1}}, uint64(car))
		fleet.Act(car, vector.Action{Left: 1, Right: 1, Pulse: 1500e-6})
	}
	fleet.Step(2000) // of a millisecond
	touched := 0
	for car := range fleet.Cars() {
		touched += fleet.Episode(car).Contacts
	}
	fmt.Printf("%.2f m driven, %d cars at the wall\n", fleet.Episode(0).Odometer, touched)
	// Output: 1.15 m driven, 162 cars at the wall
}
