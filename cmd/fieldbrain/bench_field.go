package main

import (
	"fmt"

	"fieldbrain/field/cpu"
	"fieldbrain/field/cpu/bench"
)

type benchFieldCmd struct {
	ISA     []string `help:"Instruction sets to time; none takes all of this machine." name:"isa"`
	Threads []int    `help:"Thread counts to time." default:"1,2"`
	Rounds  int      `help:"Turns every engine takes; more are steadier." default:"40"`
	JSON    bool     `help:"Print one JSON object." name:"json"`
}

// Run times the engines against their computed floor, all in one run.
func (c benchFieldCmd) Run(e *env) error {
	if c.Rounds < 2 || c.Rounds > 100_000 {
		return usageError{fmt.Errorf("--rounds %d: choose 2 to 100000", c.Rounds)}
	}
	for _, n := range c.Threads {
		if n < 1 || n > 16 {
			return usageError{fmt.Errorf("--threads %d: choose 1 to 16", n)}
		}
	}
	for _, name := range c.ISA {
		if _, err := cpu.Known(name); err != nil {
			return usageError{fmt.Errorf("--isa %s: %w", name, err)}
		}
	}
	o := bench.Options{ISAs: c.ISA, Threads: c.Threads, Rounds: c.Rounds}
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
