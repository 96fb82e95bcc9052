package seat_test

import (
	"fmt"
	"time"

	"fieldbrain"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/seat"
)

// The brain drives a world of the bench, or one from a file (scenarios.Open).
func Example() {
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	m := seat.New(fieldbrain.Default())
	defer m.Close()
	r, err := testbench.Run(room, 7, m.Pilot, testbench.Options{Length: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Collisions, "collisions, moved:", r.Distance > 1)
	// Output: 0 collisions, moved: true
}
