// Command fieldbrain-env is the environments of testbench/vector/env as a C library:
// make env builds libfieldbrain_env.so of it, beside fieldbrain_env.h, which says what
// is in it, and the Python package. As a program it only says so.
//
// # Concurrency
//
// Calls on different environments may run at once; on one of them one at a time. The
// library brings Go's runtime with it: a process that has loaded it may start other
// programs, but must not go on in a child that it forked without exec.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "fieldbrain-env is a library: make env builds bin/libfieldbrain_env.so and fieldbrain_env.h (docs/environments.md)")
	os.Exit(2)
}
