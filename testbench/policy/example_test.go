package policy_test

import (
	"fmt"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/scenarios"
)

// A policy that knows nothing yet drives straight ahead until the reflexes stop it.
func Example() {
	novice, err := policy.New(plant.P1, 4, policy.Novice(plant.P1, 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	sc, err := scenarios.Open("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := testbench.Run(sc, 1, novice.Pilot(), testbench.Options{Length: 20e9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("it drove:", r.Distance > 0.3, "it stands before a wall:", r.Standing > 5, "it touched something:", r.Collisions > 0)
	// Output: it drove: true it stands before a wall: true it touched something: false
}
