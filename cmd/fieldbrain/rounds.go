package main

import (
	"os"

	"fieldbrain/daemon/config"
)

// roundsFlags are those of every bench that lets its subjects take turns.
type roundsFlags struct {
	Rounds int  `help:"Turns that everything timed takes; more make narrower intervals." default:"40"`
	JSON   bool `help:"Print one JSON object." name:"json"`
}

// runBench checks the number of rounds, counts them where a person waits while bench
// takes them, and prints its report. Afterwards it calls sound and fails when that
// returns false: the report says why.
func (c roundsFlags) runBench(e *env, bench func(progress func(done, total int)) (r findings, sound bool, err error)) error {
	if c.Rounds < 2 || c.Rounds > 100_000 {
		return config.Usagef("--rounds %d: choose 2 to 100000", c.Rounds)
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	r, sound, err := bench(bar.rounds)
	bar.end()
	if err != nil {
		return err
	}
	return hand(e, r, c.JSON, sound)
}
