package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/field/cpu/bench"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

type benchLadderCmd struct {
	Scenario string   `help:"Drive that is recorded at full quality and replayed on every rung." default:"goal" placeholder:"NAME"`
	Seed     int64    `help:"Of that drive: decides obstacles and noise." default:"1"`
	Seconds  float64  `help:"Its length in simulated seconds, at most." default:"20"`
	Drives   []string `help:"Scenarios driven on every rung for the behaviour score." default:"cliff,corridor,deadend,goal,line,room" placeholder:"NAMES"`
	Seeds    int      `help:"Seeds of each of them; 0 leaves the score out." default:"2"`
	JSON     bool     `help:"Print one JSON object." name:"json"`
	engineFlags
	Config string `help:"Configuration file for [loop], [engine] and [brain]." placeholder:"FILE"`
}

// A rungRow is one rung's outcome. Everything lost is lost against full quality
// on the same recorded drive.
type rungRow struct {
	Name      string   `json:"name"`
	Busy      float64  `json:"busy_ms"`           // a tick: median over blocks of their mean
	Worst     float64  `json:"worst_ms"`          // the heaviest of eight ticks, median
	SpeedUp   float64  `json:"speedup"`           // median over blocks of full / this
	Field     float64  `json:"field_error"`       // |u - u full| / |u full|
	Deviation float64  `json:"command_deviation"` // worse of the next two in units of what B.11 allows
	Steering  float64  `json:"steering_rms_deg"`  // B.11: at most 2
	Throttle  float64  `json:"throttle_rms"`      // of full speed; B.11: at most 0.05
	Gaze      float64  `json:"pan_rms_deg"`       // B.11 sets no limit
	Peak      float64  `json:"same_peak"`         // share of ticks whose heading peak is within a bin; B.11: at least 0.97
	Score     *float64 `json:"behaviour_score"`   // share of the scenarios that hold all their limits; absent when none was driven
	Failed    []string `json:"failed,omitempty"`  // the others
	Update    string   `json:"updated_every"`     // ticks: perception, traces, associative
}

// ladderReport is one whole run.
type ladderReport struct {
	Engine   string    `json:"engine"`
	Scenario string    `json:"scenario"`
	Ticks    int       `json:"ticks"` // of the drive
	Drives   []string  `json:"drives"`
	Seeds    int       `json:"seeds"`
	Control  float64   `json:"control"` // full quality against itself, as a rung of its own; 1 on a quiet machine
	Void     bool      `json:"void"`    // Control is off by more than 5 %
	Rungs    []rungRow `json:"rungs"`
	Monotone bool      `json:"monotone"` // every rung is faster than the one above it
	Verdict  string    `json:"verdict"`
}

// What B.11 allows a rung to lose.
const (
	allowedSteering = 2.0  // deg, RMS
	allowedThrottle = 0.05 // of full speed, RMS
	allowedPeak     = 0.97 // of the ticks
)

// Run measures every rung: 0 when each pays, 1 when one does not or the machine
// was too busy to tell.
func (c benchLadderCmd) Run(e *env) error {
	config, err := c.settings()
	if err != nil {
		return err
	}
	show := func(done, total int, text string) {
		if e.terminal && !c.JSON {
			bar(e.err, done, total, text)
		}
	}
	tape, err := record(config, c.Scenario, uint64(c.Seed), time.Duration(c.Seconds*float64(time.Second)))
	if err != nil {
		return err
	}
	r, err := compareRungs(config, tape, show)
	if err != nil {
		return err
	}
	r.Scenario, r.Drives, r.Seeds = c.Scenario, c.Drives, c.Seeds
	if c.Seeds > 0 {
		if err := c.score(config, r.Rungs, show); err != nil {
			return err
		}
	}
	show(1, 1, "done\n")
	r.judge()
	if c.JSON {
		err = printJSON(e, r)
	} else {
		err = r.print(e.out)
	}
	if err == nil && (!r.Monotone || r.Void) {
		return errSilent
	}
	return err
}

// settings checks the flags and puts them over the configuration.
func (c benchLadderCmd) settings() (daemon.Config, error) {
	config, _, err := loadConfig(c.Config)
	if err != nil {
		return config, err
	}
	c.apply(&config)
	switch {
	case c.Quality != "":
		return config, usageError{fmt.Errorf("--quality %s: every rung is measured; leave it out", c.Quality)}
	case c.Seed < 0:
		return config, usageError{fmt.Errorf("--seed %d: choose 0 or more", c.Seed)}
	case !(c.Seconds >= 2 && c.Seconds <= 600):
		return config, usageError{fmt.Errorf("--seconds %v: choose 2 to 600", c.Seconds)}
	case c.Seeds < 0 || c.Seeds > 100:
		return config, usageError{fmt.Errorf("--seeds %d: choose 0 to 100", c.Seeds)}
	}
	for _, name := range c.Drives {
		if _, err := scenarios.Load(name); err != nil {
			return config, usageError{err}
		}
	}
	return config, checkFlags(config)
}

// score drives the scenarios on every rung.
func (c benchLadderCmd) score(config daemon.Config, rows []rungRow, show func(done, total int, text string)) error {
	plan := &suite.Plan{Seeds: c.Seeds, Workers: runtime.NumCPU()}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(c.Drives))) {
		sc, err := scenarios.Load(name)
		if err != nil {
			return err
		}
		plan.Scenarios = append(plan.Scenarios, sc)
	}
	for _, r := range brain.Ladder() {
		config.Engine.Quality = r.Name
		d := contestant(config, "brain", testbench.Options{Period: time.Duration(config.Loop.Period)})
		d.Name = r.Name
		plan.Drivers = append(plan.Drivers, d)
	}
	plan.Progress = func(done, total int) { show(done, total, fmt.Sprintf("%d of %d drives", done, total)) }
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	report, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	for i := range rows {
		held := 0
		for _, row := range report.Rows {
			if slices.ContainsFunc(row.Lines, func(l suite.Line) bool { return !l.Cells[i].Pass }) {
				rows[i].Failed = append(rows[i].Failed, row.Scenario)
				continue
			}
			held++
		}
		share := float64(held) / float64(len(report.Rows))
		rows[i].Score = &share
	}
	return nil
}

// judge says whether every rung pays for what it loses.
func (r *ladderReport) judge() {
	var idle []string
	for i := 1; i < len(r.Rungs); i++ {
		if r.Rungs[i].SpeedUp <= r.Rungs[i-1].SpeedUp {
			idle = append(idle, r.Rungs[i].Name)
		}
	}
	var loses []string
	for _, row := range r.Rungs {
		if row.Deviation > 1 || row.Peak < allowedPeak || len(row.Failed) > 0 {
			loses = append(loses, row.Name)
		}
	}
	r.Monotone, r.Void = len(idle) == 0, math.Abs(r.Control-1) > bench.Tolerance
	r.Verdict = "monotone: every rung is faster than the one above it"
	if !r.Monotone {
		r.Verdict = "not monotone: no faster than the rung above it: " + strings.Join(idle, ", ")
	}
	if len(loses) > 0 {
		r.Verdict += "; lose more than B.11 allows: " + strings.Join(loses, ", ")
	} else {
		r.Verdict += "; none loses more than B.11 allows"
	}
	if r.Void {
		r.Verdict = fmt.Sprintf("VOID: full quality against itself gave %.3f; ", r.Control) + r.Verdict
	}
}

// print writes the table.
func (r *ladderReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%d ticks of %s on %s, on every rung in turns; full quality against itself: %.3f\n", r.Ticks, r.Scenario, r.Engine, r.Control)
	fmt.Fprintf(w, "%10s %7s %9s %9s %8s %11s %9s %9s %9s %9s %10s %9s\n", "rung", "every", "busy ms", "worst ms", "speed-up",
		"field error", "deviation", "steer deg", "throttle", "pan deg", "same peak", "behaviour")
	for _, row := range r.Rungs {
		score := "-"
		if row.Score != nil {
			score = fmt.Sprintf("%.2f", *row.Score)
		}
		fmt.Fprintf(w, "%10s %7s %9.4f %9.4f %8.2f %11.2e %9.3f %9.3f %9.4f %9.3f %9.1f%% %9s", row.Name, row.Update, row.Busy, row.Worst, row.SpeedUp,
			row.Field, row.Deviation, row.Steering, row.Throttle, row.Gaze, 100*row.Peak, score)
		if len(row.Failed) > 0 {
			fmt.Fprintf(w, "  fails %s", strings.Join(row.Failed, ", "))
		}
		fmt.Fprintln(w)
	}
	if r.Seeds > 0 {
		fmt.Fprintf(w, "behaviour: share of %s that hold all limits, seeds 1 to %d\n", strings.Join(r.Drives, ", "), r.Seeds)
	}
	fmt.Fprintf(w, "deviation 1 is what B.11 allows: %g deg or %g of full speed, RMS\n", allowedSteering, allowedThrottle)
	_, err := fmt.Fprintf(w, "verdict: %s\n", r.Verdict)
	return err
}
