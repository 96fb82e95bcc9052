package loadbench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/cmd/fieldbrain/loadbench"
	"fieldbrain/daemon/loop"
)

// The daemon's loop puts every tick on a tape; the bench reads it afterwards.
func Example() {
	folder, err := os.MkdirTemp("", "tape")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "tape")
	tape, err := loadbench.NewTape(path, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k := range 3 {
		due := time.Duration(k+1) * 5 * time.Millisecond
		tape.Take(loop.Sample{Release: due, Start: due + 30*time.Microsecond, Warm: true}, k > 0)
	}
	wakes, err := loadbench.ReadTape(path)
	for _, w := range wakes {
		fmt.Println(w.Release, w.Start-w.Release, w.Armed)
	}
	fmt.Println(err)
	// Output:
	// 5ms 30µs false
	// 10ms 30µs true
	// 15ms 30µs true
	// <nil>
}
