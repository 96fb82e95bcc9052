package main

import (
	"os"
	"path/filepath"
	"slices"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench/vector"
	environments "fieldbrain/testbench/vector/env"
	"fieldbrain/testbench/vector/env/bench"
)

type benchEnvCmd struct {
	roundsFlags
	Cars    int    `help:"Number of cars." default:"4096"`
	Task    string `help:"What they learn: avoid, goal, line or explore." default:"avoid"`
	Library string `help:"What make env built; beside this program when left out." placeholder:"FILE"`
}

// Run times a step of all cars from three languages. What make env built is looked
// for beside this program: the header and the Python package are beside the library.
func (c benchEnvCmd) Run(e *env) error {
	if c.Cars < 1 || c.Cars > vector.MaxCars {
		return config.Usagef("--cars %d: choose 1 to %d", c.Cars, vector.MaxCars)
	}
	if !slices.Contains(environments.Tasks(), environments.Task(c.Task)) {
		return config.Usagef("--task %s: there are %v", c.Task, environments.Tasks())
	}
	if c.Library == "" {
		own, err := os.Executable()
		if err != nil {
			return err
		}
		c.Library = filepath.Join(filepath.Dir(own), "libfieldbrain_env.so")
	}
	folder := filepath.Dir(c.Library)
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{
			Rounds: c.Rounds, Cars: c.Cars, Task: environments.Task(c.Task), Library: c.Library,
			Header: folder, Package: filepath.Join(folder, "python"), Progress: progress,
		})
		if err != nil {
			return nil, false, err
		}
		return r, true, nil
	})
}
