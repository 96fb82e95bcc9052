// Command fieldbrain-card is the cars of testbench/vector/card as a C library: make card
// builds libfieldbrain_card.so of it, with the tag cuda, beside fieldbrain_card.h, which
// says what is in it, and the Python package. As a program it only says so.
//
// # Concurrency
//
// A CUDA context belongs to a thread: all calls on a card come from the one that opened it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "fieldbrain-card is a library: make card builds bin/libfieldbrain_card.so and fieldbrain_card.h (docs/environments.md)")
	os.Exit(2)
}
