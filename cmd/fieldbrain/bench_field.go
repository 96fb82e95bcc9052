package main

import (
	"os"

	"fieldbrain/daemon/config"
	"fieldbrain/field/cpu"
	"fieldbrain/field/cpu/bench"
)

type benchFieldCmd struct {
	ISA     []string `help:"Instruction sets to time; none takes all of this machine, with --against the best." name:"isa"`
	Threads []int    `help:"Thread counts to time; none takes 1 and 2, with --against 1."`
	Against string   `help:"Compare with another build of this program instead, in turns with it: is this one slower, is its field the same?" placeholder:"PROGRAM"`
	Slack   float64  `help:"With --against: how many percent slower still counts as no slower." default:"2"`
	roundsFlags
}

// Run times the engines beside their computed floor, all in one run, or this
// program's beside another's: 0 when every claim is decided (with --against: and
// held), 1 when not.
func (c benchFieldCmd) Run(e *env) error {
	for _, n := range c.Threads {
		if n < 1 || n > 16 {
			return config.Usagef("--threads %d: choose 1 to 16", n)
		}
	}
	for _, name := range c.ISA {
		if _, err := cpu.Known(name); err != nil {
			return config.Usagef("--isa %s: %w", name, err)
		}
	}
	if c.Against != "" {
		return c.compare(e)
	}
	if len(c.Threads) == 0 {
		c.Threads = []int{1, 2}
	}
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{ISAs: c.ISA, Threads: c.Threads, Rounds: c.Rounds, Progress: progress})
		if err != nil {
			return nil, false, err
		}
		return r, !r.Void, nil
	})
}

// compare lets this program and another take turns.
func (c benchFieldCmd) compare(e *env) error {
	if !(c.Slack >= 0 && c.Slack <= 100) {
		return config.Usagef("--slack %v: choose 0 to 100 percent", c.Slack)
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	o := bench.AgainstOptions{Old: c.Against, New: own, ISAs: c.ISA, Threads: c.Threads, Rounds: c.Rounds, Slack: c.Slack / 100}
	if len(o.ISAs) == 0 {
		o.ISAs = cpu.ISAs()[:1]
	}
	if len(o.Threads) == 0 {
		o.Threads = []int{1}
	}
	ctx, stop := untilSignal()
	defer stop()
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		o.Progress = progress
		r, err := bench.Against(ctx, o)
		if err != nil {
			return nil, false, err
		}
		return r, r.Holds, nil
	})
}
