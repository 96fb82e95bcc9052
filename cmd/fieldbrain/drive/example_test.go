package drive_test

import (
	"fmt"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// Five seconds of the room in virtual time: the same on every engine.
func Example() {
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := drive.New(config.Default()).Virtual(room, 7, "brain", testbench.Options{
		Period: testbench.DefaultPeriod, Length: 5 * time.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Collisions, "collisions, moved:", result.Distance > 0.5)
	// Output:
	// 0 collisions, moved: true
}
