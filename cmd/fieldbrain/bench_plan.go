package main

import (
	"fmt"

	"fieldbrain/brain/plan/bench"
)

type benchPlanCmd struct {
	Rounds int  `help:"Turns every subject takes; more are steadier." default:"40"`
	JSON   bool `help:"Print one JSON object." name:"json"`
}

// Run times the planner's parts, all in one run, and OctoMap beside them.
func (c benchPlanCmd) Run(e *env) error {
	if c.Rounds < 2 || c.Rounds > 100_000 {
		return usageError{fmt.Errorf("--rounds %d: choose 2 to 100000", c.Rounds)}
	}
	o := bench.Options{Rounds: c.Rounds}
	if e.terminal && !c.JSON {
		o.Progress = func(done, total int) { bar(e.err, done, total, fmt.Sprintf("round %d of %d", done, total)) }
	}
	r, err := bench.Run(o)
	if o.Progress != nil {
		fmt.Fprintln(e.err)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(e, r)
	} else {
		err = r.Print(e.out)
	}
	if err == nil && r.Void {
		return errSilent // the report says that it is void
	}
	return err
}
