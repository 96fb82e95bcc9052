package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"fieldbrain/daemon"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

// suiteFlags belong to sim --suite.
type suiteFlags struct {
	Seeds    int    `help:"With --suite: seeds of each scenario; 0 takes the scenario's own count." default:"0"`
	Only     string `help:"With --suite: these scenarios, separated by commas." placeholder:"NAMES"`
	Markdown string `help:"With --suite: also write the report as Markdown." placeholder:"FILE"`
	Date     string `help:"With --suite: the date in that report; today's when left out." placeholder:"YYYY-MM-DD"`
}

// compare drives the suite: 0 when the brain holds every limit, 1 when not.
func (c simCmd) compare(e *env, config daemon.Config) error {
	plan, err := c.plan(config)
	if err != nil {
		return usageError{err}
	}
	if isTerminal(os.Stderr) {
		plan.Progress = func(done, total int) { bar(e.err, done, total, fmt.Sprintf("%d of %d runs", done, total)) }
	}
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	report, err := plan.Run(ctx)
	if plan.Progress != nil {
		fmt.Fprint(e.err, "\r"+clearLine)
	}
	if err != nil {
		return err
	}
	if c.Markdown != "" {
		if err := c.page(report, config); err != nil {
			return fmt.Errorf("--markdown: %w", err)
		}
	}
	if c.JSON {
		err = printJSON(e, report)
	} else {
		err = report.Print(e.out)
	}
	if err == nil && !report.Pass {
		return errSilent
	}
	return err
}

// plan checks the flags and lists what shall be driven.
func (c simCmd) plan(config daemon.Config) (*suite.Plan, error) {
	switch {
	case c.Seeds < 0 || c.Seeds > 1000:
		return nil, fmt.Errorf("--seeds %d: choose 0 to 1000", c.Seeds)
	case c.Picture != "" || c.Realtime || c.Pilot != "brain":
		return nil, fmt.Errorf("--suite drives every pilot in virtual time and draws nothing: leave out --picture, --realtime and --pilot")
	}
	if _, err := time.Parse(time.DateOnly, c.Date); c.Date != "" && err != nil {
		return nil, fmt.Errorf("--date %q: write it as 2006-01-02", c.Date)
	}
	names := suiteNames()
	if c.Only != "" {
		names = slices.Compact(slices.Sorted(slices.Values(strings.Split(c.Only, ","))))
	}
	plan := &suite.Plan{Seeds: c.Seeds, Calm: true, Workers: runtime.NumCPU()}
	for _, name := range names {
		sc, err := scenarios.Load(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		plan.Scenarios = append(plan.Scenarios, sc)
	}
	options := testbench.Options{
		Period: time.Duration(config.Loop.Period),
		Length: time.Duration(c.Seconds * float64(time.Second)),
	}
	for _, pilot := range []string{"brain", "vendor", "noise"} {
		plan.Drivers = append(plan.Drivers, contestant(config, pilot, options))
	}
	return plan, nil
}

// suiteNames lists the scenarios that stand for themselves. B13 and B14 compare
// and repeat theirs: bench behave drives them.
func suiteNames() []string {
	return slices.DeleteFunc(scenarios.Names(), func(name string) bool { return name == "explore" || name == "tmaze" })
}

// contestant makes a driver that builds a brain of its own for every run.
func contestant(config daemon.Config, pilot string, o testbench.Options) suite.Driver {
	return suite.Driver{Name: pilot, Run: func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error) {
		d := newSimulated(config)
		d.crowded = true
		return d.virtual(sc, seed, pilot, o)
	}}
}

// elsewhere says where the rows of the suite are that nobody drives.
const elsewhere = "Every behaviour of the specification, with intervals and a driver without a field beside it, is in `behave.md`. B10 (working memory) and B11 (selection) are the field's own and have no body, so no baseline stands beside them: " +
	"`TestB10WorkingMemory` and `TestB11Selection` in `field`. S1 to S3 are `TestS1BusLost`, `TestS1BrainLost`, " +
	"`TestS2FrozenSensor` and `TestS3ImpossibleFrames` in `cmd/fieldbrain`, S4 is `TestS4EngineLost` in `brain`. " +
	"That no fault makes a false near range is `TestNoFalseNearRange` in `cmd/fieldbrain`. " +
	"What is not as specified: a memory settles on whole bins, so from a stimulus between bins it drifts 0.3 to 0.5 bin (RMS) instead of at most 0.3, and then stays; " +
	"with the diffusion in use the thresholds of B10 and B11 shift (docs/decisions/0009); wheels_past judges the bicycle model's wheels, the outer ones of the real car may hang over an edge met at an angle; " +
	"the fail-over of S4 needs a graphics card beside the processor; without one a failed engine stops the car."

// page writes the report's Markdown.
func (c simCmd) page(r *suite.Report, config daemon.Config) error {
	h := suite.Heading{Command: "fieldbrain sim --suite", Date: c.Date, Notes: elsewhere}
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{c.Seeds != 0, fmt.Sprintf(" --seeds %d", c.Seeds)},
		{c.Only != "", " --only " + c.Only},
		{c.Seconds != 0, fmt.Sprintf(" --seconds %g", c.Seconds)},
		{c.Quality != "", " --quality " + c.Quality},
		{true, " --markdown " + c.Markdown},
	} {
		if flag.given {
			h.Command += flag.text
		}
	}
	if h.Date == "" {
		h.Date = time.Now().UTC().Format(time.DateOnly)
	}
	var err error
	if h.Engine, err = chosenEngine(config); config.Engine.Kind == "cuda" {
		h.Engine, err = probeCard(config.Engine.GPUPath)
		h.Engine = fmt.Sprintf("cuda/%s/%s", h.Engine, config.Engine.Step)
	}
	if err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(c.Markdown, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer f.Cleanup() // does nothing once the file has its name
	if err := r.Markdown(f, h); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// bar draws a progress bar on one line of a terminal.
func bar(w io.Writer, done, total int, text string) {
	const width = 40
	n := width * done / max(total, 1)
	fmt.Fprintf(w, "\r[%s%s] %s%s", strings.Repeat("#", n), strings.Repeat(" ", width-n), text, clearLine)
}
