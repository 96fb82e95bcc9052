package main

import "fieldbrain/brain/plan/bench"

type benchPlanCmd struct{ roundsFlags }

// Run times the planner's parts, all in one run, and OctoMap beside them: 0 when
// every claim is decided, 1 when one is void.
func (c benchPlanCmd) Run(e *env) error {
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{Rounds: c.Rounds, Progress: progress})
		if err != nil {
			return nil, false, err
		}
		return r, !r.Void, nil
	})
}
