package steer_test

import (
	"fmt"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/steer"
)

func Example() {
	g, err := ground.New(ground.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	at := ground.Pose{}
	g.Drive(at)
	for range 20 {
		g.Beam(at, ground.Beam{Range: 0.09, HalfWidth: 0.2, Lead: 0.11}) // a wall close ahead
	}
	l := steer.New(steer.Body{Wheelbase: 0.094, Track: 0.117, Lock: steer.Lock, Cruise: 0.35}, steer.Default())
	s := steer.Situation{Ground: g, Pose: at, Dt: 0.005, Confidence: 1, Driving: true}
	fmt.Println("speed towards the wall:", l.Decide(&s).Speed < 0.05)
	for range 100 { // half a second
		l.Decide(&s)
	}
	fmt.Println("a manoeuvre:", l.Active(), l.Count())
	// Output:
	// speed towards the wall: true
	// a manoeuvre: true 1
}
