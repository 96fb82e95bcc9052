package main

import (
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/vector/bench"
)

type benchFleetCmd struct {
	roundsFlags
	Cars []int `help:"Numbers of cars; 1 to 65536 when left out." sep:"," placeholder:"N"`
}

// Run times fleets of simulated cars and the same car one per call, all in one run.
func (c benchFleetCmd) Run(e *env) error {
	sizes := c.Cars
	if len(sizes) == 0 {
		sizes = bench.Sizes()
	}
	for _, n := range sizes {
		if n < 1 || n > 1<<20 {
			return config.Usagef("--cars %d: choose 1 to %d", n, 1<<20)
		}
	}
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{Rounds: c.Rounds, Cars: sizes, Floor: true, Progress: progress})
		if err != nil {
			return nil, false, err
		}
		return r, true, nil
	})
}
