package replay_test

import (
	"bytes"
	"fmt"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// Example records two seconds of the room and lets the brain hear them again.
func Example() {
	var file bytes.Buffer
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	d := drive.New(config.Default())
	d.Tape = drive.NewTape(&file, "example")
	if _, err := d.Virtual(room, 7, "brain", testbench.Options{Length: 2 * time.Second}); err != nil {
		fmt.Println(err)
		return
	}
	r, err := recording.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := replay.Run(r, &r.Head, replay.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Ticks, "ticks, exactly the same:", report.Exact())
	// Output:
	// 400 ticks, exactly the same: true
}
