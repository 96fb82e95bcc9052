package pilots_test

import (
	"fmt"

	"fieldbrain/testbench"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/scenarios"
)

// A pilot of this package drives wherever a testbench.Pilot does.
func Example() {
	pilot, known := pilots.Named("astar")
	sc, err := scenarios.Open("goal")
	if !known || err != nil {
		fmt.Println(known, err)
		return
	}
	result, err := testbench.Run(sc, 1, pilot, testbench.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("reached the goal:", result.Goal != nil)
	// Output: reached the goal: true
}
