package reckoning_test

import (
	"fmt"
	"math"

	"fieldbrain/brain/reckoning"
)

// A car drives a metre ahead and then half a turn to the left.
func Example() {
	var r reckoning.Reckoner
	for range 200 {
		r.Update(0.005, 0)
	}
	for range 200 {
		r.Update(0.005, math.Pi/200)
	}
	at := r.Fix()
	fmt.Printf("%.2f m ahead, %.2f m to the left, within %.2f m, after %.0f m\n", at.X, at.Y, at.Off, r.Way())
	bearing, far := at.Toward(0, 0)
	fmt.Printf("the start is %.2f m off, %.0f deg to the left\n", far, bearing*180/math.Pi)
	// Output:
	// 0.90 m ahead, 0.64 m to the left, within 0.12 m, after 2 m
	// the start is 1.10 m off, 35 deg to the left
}
