package sweepworkers_test

import (
	"fmt"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
)

// A worker that ends at once, five times in a row, cannot work: Failed says why, and
// tries no more.
func ExampleStart() {
	workers := sweepworkers.Start(sweepworkers.Options{Program: "sh", Args: []string{"-c", "echo no such sweep >&2; exit 1"}, Count: 1})
	fmt.Println(<-workers.Failed())
	workers.Close()
	// Output: a worker ends 5 times as soon as it is started: exit status 1: no such sweep
}
