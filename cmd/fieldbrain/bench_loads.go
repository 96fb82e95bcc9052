package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldbrain/cmd/fieldbrain/loadbench"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/verdict"
)

// loadTurns is how often every load has its turn within a run.
const loadTurns = 4

// loads returns the loads of the run and the budget to compare with, nil without one.
func (c benchLatencyCmd) loads() (names []string, budget *loadbench.Budget, err error) {
	switch {
	case !(c.Seconds >= 4 && c.Seconds <= 1200): // the flight ring holds ten minutes; NaN fails
		return nil, nil, config.Usagef("--seconds %v: --loads wants 4 to 1200 for each load", c.Seconds)
	case c.CPU >= 0 || c.Busy > 0:
		return nil, nil, config.Usagef("--cpu and --busy are not for --loads, which measures the daemon as it is")
	case c.Period < field.MinPeriod || c.Period > field.MaxPeriod:
		return nil, nil, config.Usagef("--period %v: choose %v to %v", c.Period, field.MinPeriod, field.MaxPeriod)
	}
	if c.Budget != "" {
		b, err := loadbench.ReadBudget(c.Budget)
		if err == nil {
			err = b.Here(c.Budget, c.course())
		}
		if err != nil {
			return nil, nil, fmt.Errorf("bench latency: %w", err)
		}
		budget, names = &b, b.Names()
	}
	if c.Loads != "" {
		names = strings.Split(c.Loads, ",")
	}
	if len(names) == 0 || slices.Equal(names, []string{"all"}) {
		names = loadbench.Loads()
	}
	return names, budget, c.known(names, budget)
}

// known refuses loads that nobody makes, and those that lack one of the budget's.
func (c benchLatencyCmd) known(names []string, budget *loadbench.Budget) error {
	for i, name := range names {
		if !slices.Contains(loadbench.Loads(), name) || slices.Contains(names[:i], name) {
			return config.Usagef("--loads: %q: choose all, or each once of %s", name, strings.Join(loadbench.Loads(), ", "))
		}
	}
	if budget == nil {
		return nil
	}
	for _, name := range budget.Names() {
		if !slices.Contains(names, name) {
			return config.Usagef("--loads lacks %s, which %s has: leave --loads out", name, c.Budget)
		}
	}
	return nil
}

// course returns the options of one turn.
func (c benchLatencyCmd) course() loadbench.Options {
	length := time.Duration(c.Seconds / loadTurns * float64(time.Second)).Round(time.Second)
	return loadbench.Options{Length: max(length, time.Second), Period: c.Period, Priority: c.Priority}
}

// loaded measures the daemon beside cyclictest under loads in turns.
func (c benchLatencyCmd) loaded(e *env) error {
	names, budget, err := c.loads()
	if err != nil {
		return err
	}
	o := c.course()
	if o.Program, err = os.Executable(); err != nil {
		return err
	}
	if o.Folder, err = os.MkdirTemp("", "fieldbrain-loads-"); err != nil {
		return fmt.Errorf("bench latency: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	meter := newMeter(e.err, isTerminal(os.Stderr))
	rows, err := loadbench.Course(ctx, o, names, loadTurns, meter.runs)
	meter.end()
	if err != nil {
		return fmt.Errorf("bench latency: %w (logs stay in %s)", err, o.Folder)
	}
	if err := os.RemoveAll(o.Folder); err != nil {
		return fmt.Errorf("bench latency: %w", err)
	}
	for i := range rows {
		r := &rows[i]
		r.Band, r.YardBand = bandOf(r.Loop), bandOf(r.Cyclictest)
	}
	var compared []verdict.Judgement
	if budget != nil {
		if compared, err = budget.Compare(rows); err != nil {
			return fmt.Errorf("bench latency: %w", err)
		}
	}
	if c.Keep != "" {
		if err := loadbench.NewBudget(o, thisBuild().Version, rows, time.Now()).Keep(c.Keep); err != nil {
			return errors.Join(c.reportLoads(e, rows, compared), fmt.Errorf("bench latency: %w", err))
		}
	}
	return c.reportLoads(e, rows, compared)
}

// reportLoads prints what was measured, and fails where the budget is not kept.
func (c benchLatencyCmd) reportLoads(e *env, rows []loadbench.LoadRow, compared []verdict.Judgement) error {
	var err error
	if c.JSON {
		err = printJSON(e, map[string]any{"machine": loadbench.Machine(), "loads": rows, "budget": compared})
	} else {
		err = errors.Join(loadbench.PrintLoads(e.out, rows), verdict.Print(e.out, compared))
	}
	if err != nil {
		return err
	}
	kept := true
	for _, j := range compared {
		kept = kept && j.Verdict == verdict.Held
	}
	if !kept {
		return fmt.Errorf("bench latency: not everything is within the budget %s", c.Budget)
	}
	return nil
}

// bandOf returns LinuxCNC's band for a maximum.
func bandOf(l loadbench.Lateness) string {
	return band(time.Duration(l.Max * float64(time.Microsecond)))
}

type crowdLoadCmd struct {
	Load   string `arg:"" help:"Which."`
	Folder string `help:"For its files." required:""`
}

// Run makes a load until it is killed.
func (c crowdLoadCmd) Run() error { return loadbench.Burden(c.Load, c.Folder) }
