package main

import (
	"fieldbrain/brain/rollout/bench"
	"fieldbrain/daemon/config"
)

type benchRolloutCmd struct {
	roundsFlags
	Trajectories int `help:"Imagined drives of a plan." default:"2000" placeholder:"N"`
	Steps        int `help:"Steps of a drive." default:"56" placeholder:"N"`
}

// Run times imagined drives, beside Nav2's published algorithm: 0 when every claim is
// decided, 1 when one is void.
func (c benchRolloutCmd) Run(e *env) error {
	if c.Trajectories < 16 || c.Trajectories > 1<<16 {
		return config.Usagef("--trajectories %d: choose 16 to %d", c.Trajectories, 1<<16)
	}
	if c.Steps < 2 || c.Steps > 512 {
		return config.Usagef("--steps %d: choose 2 to 512", c.Steps)
	}
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{Rounds: c.Rounds, Trajectories: c.Trajectories, Steps: c.Steps, Progress: progress})
		if err != nil {
			return nil, false, err
		}
		return r, !r.Void, nil
	})
}
