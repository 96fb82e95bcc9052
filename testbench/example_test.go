package testbench_test

import (
	"fmt"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A pilot is a function that makes a function: it senses and acts once per period. This one drives slowly, and stands where something is near.
func ExampleRun() {
	careful := func(v testbench.Vehicle) (func(now time.Duration), error) {
		var state robot.State
		return func(now time.Duration) {
			v.Body.Sense(&state)
			ahead := state.Range[0] // straight ahead
			c := robot.Command{At: now, Enable: true}
			if ahead.Fresh(now, 250*time.Millisecond) && ahead.Value > 0.4 {
				c.Speed = 0.15
			}
			_ = v.Body.Act(c) // finite, so it is not refused
		}, nil
	}
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := testbench.Run(room, 7, careful, testbench.Options{Length: 20 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Collisions, "collisions, stands:", r.Stops > 0)
	// Output: 0 collisions, stands: true
}
