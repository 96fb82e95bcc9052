package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fieldbrain/daemon/config"
	gpubench "fieldbrain/gpu/bench"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/bench"
)

type benchFleetCmd struct {
	roundsFlags
	Cars    []int  `help:"Numbers of cars; 1 to 65536 when left out, on a card to 262144." sep:"," placeholder:"N"`
	Card    bool   `help:"Time the graphics card, too."`
	Program string `help:"With --card: the program that drives the card; none finds fieldbrain-gpu beside this program, nowhere else." placeholder:"PATH"`
}

// Run times fleets of simulated cars and the same car one per call, all in one run.
func (c benchFleetCmd) Run(e *env) error {
	for _, n := range c.Cars {
		if n < 1 || n > vector.MaxCars {
			return config.Usagef("--cars %d: choose 1 to %d", n, vector.MaxCars)
		}
	}
	if c.Program != "" && !c.Card {
		return config.Usagef("--program names what drives a card: it wants --card beside it")
	}
	if c.Card {
		if err := c.find(); err != nil {
			return err
		}
	}
	return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
		r, err := bench.Run(bench.Options{Rounds: c.Rounds, Cars: c.sizes(bench.Sizes()), Floor: true, Progress: progress})
		if err != nil {
			return nil, false, err
		}
		if c.Card {
			if err := c.addCard(e, r); err != nil {
				return nil, false, err
			}
		}
		return r, r.Failed == "", nil
	})
}

// sizes are the numbers of cars: those of the flags, or these.
func (c benchFleetCmd) sizes(all []int) []int {
	if len(c.Cars) > 0 {
		return c.Cars
	}
	return all
}

// find looks for the program and for the card before anything takes its time.
func (c *benchFleetCmd) find() error {
	if c.Program != "" {
		path, err := filepath.Abs(c.Program) // here a person names it, who knows this folder
		if err != nil {
			return config.UsageError{Err: err}
		}
		c.Program = path
	}
	if _, err := probeCard(c.Program); err != nil {
		return fmt.Errorf("--card: %w; leave it out to time the processor alone, or name the program with --program", err)
	}
	return nil
}

// addCard lets the card's program time its rows.
func (c benchFleetCmd) addCard(e *env, r *bench.Report) error {
	var cars []string
	for _, n := range c.sizes(bench.CardSizes()) {
		cars = append(cars, strconv.Itoa(n))
	}
	ctx, stop := untilSignal()
	defer stop()
	text, err := gpubench.Output(ctx, c.Program, []string{"--fleet", "--rounds", strconv.Itoa(c.Rounds), "--cars", strings.Join(cars, ",")}, e.err)
	if err != nil {
		return childError(err)
	}
	card, err := bench.Decode(text)
	if err != nil {
		return err
	}
	r.Add(card)
	c.addTasks(ctx, e, r)
	return nil
}

// addTasks lets it time environments with as many cars as it is asked for at most. Rows of
// before are kept where that fails, and the report says why.
func (c benchFleetCmd) addTasks(ctx context.Context, e *env, r *bench.Report) {
	most := min(slices.Max(c.sizes(bench.Sizes())), 1<<16)
	text, err := gpubench.Output(ctx, c.Program, []string{"--tasks", "--rounds", strconv.Itoa(c.Rounds), "--cars", strconv.Itoa(most)}, e.err)
	if err != nil {
		r.Failed = childError(err).Error()
		return
	}
	tasks, err := bench.Decode(text)
	if err != nil {
		r.Failed = err.Error()
		return
	}
	r.Tasks = tasks.Tasks
}
