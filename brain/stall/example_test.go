package stall_test

import (
	"fmt"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/stall"
	"fieldbrain/robot"
)

// The wheels turn, and the range ahead stays what it was.
func Example() {
	var w stall.Watch
	look := stall.Look{Ranging: true, Speed: 0.2, Free: true, Dt: 0.005}
	for tick := 1; !w.Held() && tick < 1000; tick++ {
		look.At = ground.Pose{X: float32(tick) * 0.001} // as the dead reckoning believes
		look.Front = robot.Reading{Value: 0.3, At: time.Duration(tick) * 5 * time.Millisecond, OK: true}
		w.Update(&look)
	}
	from, lost := w.From()
	fmt.Printf("held: %v, at %.2f m, after %.2f m in vain, enter a contact: %v\n", w.Held(), from.X, lost, w.Touches())
	w.TakenBack()
	fmt.Println("held:", w.Held(), "times:", w.Count())
	// Output:
	// held: true, at 0.00 m, after 0.16 m in vain, enter a contact: true
	// held: false times: 1
}
