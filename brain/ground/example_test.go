package ground_test

import (
	"fmt"

	"fieldbrain/brain/ground"
)

func Example() {
	g, err := ground.New(ground.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	at := ground.Pose{}
	g.Drive(at) // the car stands here: this much is free
	for range 5 {
		g.Beam(at, ground.Beam{Range: 0.5, HalfWidth: 0.2, Lead: 0.11})
	}
	ahead := g.Sweep(at, 0, 1, false)
	left := g.Sweep(at, 6, 1, false)
	fmt.Println(g.At(0.4, 0).State, g.At(0.61, 0).State, g.At(1, 0).State)
	fmt.Printf("straight ahead: %.2f m, to the left: nothing known to be there for %.0f m\n", ahead.Free, left.Free)
	// Output:
	// free occupied unknown
	// straight ahead: 0.45 m, to the left: nothing known to be there for 1 m
}
