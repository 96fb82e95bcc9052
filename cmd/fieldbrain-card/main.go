// Command fieldbrain-card is the cars of testbench/vector/card as a C library: make card
// builds libfieldbrain_card.so of it, with the tag cuda, beside fieldbrain_card.h, which
// says what is in it, and the Python package. As a program it only says so.
//
// # Concurrency
//
// Calls on different cards may run at once, on one of them one at a time, from any thread.
// The library brings Go's runtime with it: do not go on in a forked child without exec.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "fieldbrain-card is a library: make card builds bin/libfieldbrain_card.so and fieldbrain_card.h (docs/environments.md)")
	os.Exit(2)
}
