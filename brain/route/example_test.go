package route_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/route"
)

func Example() {
	g, err := ground.New(ground.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 20 {
		g.Beam(ground.Pose{}, ground.Beam{Range: 0.5, HalfWidth: 0.2, Lead: 0.11}) // a wall ahead
	}
	r := route.New()
	r.Begin(route.Goal, 1.2, 0)
	for range 80 { // ticks
		r.Advance(g, ground.Pose{}, 0.005)
	}
	w := r.Toward(0.05, 0)
	fmt.Println("a way:", w.OK, "around it:", math.Abs(float64(w.Bearing)) > 0.1, "longer than straight:", w.Distance > 1.2)
	// Output:
	// a way: true around it: true longer than straight: true
}
