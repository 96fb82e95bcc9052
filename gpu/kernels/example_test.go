package kernels_test

import (
	"fmt"

	"fieldbrain/field"
	"fieldbrain/gpu/kernels"
)

// A tick on an RTX 4090: 128 multiprocessors, 99 KiB of shared memory per block.
func ExampleNewProgram() {
	p := field.Default()
	program, err := kernels.NewProgram(&p, field.Dense, false, kernels.Card{Processors: 128, Shared: 99 << 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range program.Tick {
		fmt.Printf("%-27s %3d blocks of %4d threads, %d bytes shared\n", l.Kernel, l.Blocks, l.Threads, l.Shared)
	}
	// Output:
	// fieldbrain_prep              51 blocks of  512 threads, 0 bytes shared
	// fieldbrain_evolve_f32_small 180 blocks of  512 threads, 34816 bytes shared
	// fieldbrain_motor              1 blocks of 1024 threads, 0 bytes shared
}
