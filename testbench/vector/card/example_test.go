//go:build cuda

package card_test

import (
	"fmt"

	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/card"
	"fieldbrain/testbench/world"
)

// Eight cars drive straight ahead on the card, a second long.
func Example() {
	room := &world.World{Walls: world.Room(world.Vec{}, world.Vec{X: 9, Y: 9}), Floor: world.Floor{Background: 1000}}
	site := vector.Site{World: room, Car: plant.Default(), Start: plant.Pose{At: world.Vec{X: 1, Y: 4}}}
	f, err := vector.New(vector.Options{Cars: 8, Sites: []vector.Site{site}, Profile: plant.P0})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 8 {
		f.Act(i, vector.Action{Left: 1, Right: 1, Pulse: 1500e-6})
	}
	c, err := card.Open(f, card.Options{Image: kernels.Fatbin()})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = c.Step(1000)
	if err == nil {
		err = c.Fetch()
	}
	fmt.Printf("%v, %.2f m driven, %v\n", err, f.Episode(7).Odometer, c.Close())
	// Output: <nil>, 0.54 m driven, <nil>
}
