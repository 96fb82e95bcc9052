package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tune"
)

type benchTuneCmd struct {
	Pilot   string  `help:"Pilot whose numbers to tune (docs/baselines.md)." enum:"reactive+,attractor,vfh,dwa,tangentbug,astar,mppi" required:"" placeholder:"NAME"`
	Profile string  `help:"Sensors: P0 is the front beam, P1 five beams." enum:"P0,P1" default:"P1"`
	Budget  int     `help:"Evaluations; the first is of the numbers as they are." default:"60"`
	Worlds  int     `help:"Train worlds that an evaluation drives in." default:"12"`
	Seconds float64 `help:"Longest drive, in simulated seconds." default:"40"`
	JSON    bool    `help:"Print one JSON object." name:"json"`
}

// Run searches for a pilot's numbers and prints what it found; nothing is
// written.
func (c benchTuneCmd) Run(e *env) error {
	switch {
	case c.Budget < 1 || c.Budget > 10_000:
		return config.Usagef("--budget %d: choose 1 to 10000", c.Budget)
	case c.Worlds < 1 || c.Worlds > 1000:
		return config.Usagef("--worlds %d: choose 1 to 1000", c.Worlds)
	case !(c.Seconds >= 5 && c.Seconds <= 600):
		return config.Usagef("--seconds %v: choose 5 to 600", c.Seconds)
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	job := tune.Job{
		Pilot: c.Pilot, Profile: plant.Profile(c.Profile),
		Budget: c.Budget, Worlds: c.Worlds, Seconds: c.Seconds,
		Drive: func(values []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error) {
			pilot, err := pilots.With(c.Pilot, values)
			if err != nil {
				return nil, err
			}
			return testbench.Run(sc, 1, pilot, o)
		},
		Progress: func(done, total int, best float64) {
			bar.show(done, total, fmt.Sprintf("evaluation %d of %d, best cost %.3f", done, total, best))
		},
	}
	for _, k := range pilots.Knobs(c.Pilot, job.Profile) {
		job.Knobs = append(job.Knobs, tune.Knob{Name: k.Name, Start: k.Value, Low: k.Low, High: k.High})
	}
	ctx, restore := untilSignal()
	defer restore()
	r, err := tune.Run(ctx, job)
	bar.end()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e, r)
	}
	return printTuned(e.out, r)
}

// printTuned prints a report for a person.
func printTuned(w io.Writer, r *tune.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: cost %.3f, was %.3f, after %d evaluations of %d train worlds, %g s each at most\n",
		r.Pilot, r.Profile, r.After, r.Before, r.Done, len(r.Worlds), r.Seconds)
	for _, k := range r.Knobs {
		fmt.Fprintf(&b, "  %-12s %8.4g  was %.4g  (%g .. %g)\n", k.Name, k.Best, k.Start, k.Low, k.High)
	}
	fmt.Fprintf(&b, "worlds: %s\n", strings.Join(r.Worlds, " "))
	_, err := io.WriteString(w, b.String())
	return err
}
