package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/suite"
)

// suiteFlags belong to sim --suite.
type suiteFlags struct {
	Seeds    int    `help:"With --suite: seeds of each scenario; 0 takes the scenario's own count." default:"0"`
	Only     string `help:"With --suite: these scenarios or files, separated by commas." placeholder:"NAMES"`
	Markdown string `help:"With --suite: also write the report as Markdown." placeholder:"FILE"`
	Date     string `help:"With --suite: the date in that report; today's when left out." placeholder:"YYYY-MM-DD"`
}

// compare drives the suite: 0 when the brain holds every limit, 1 when not.
func (c simCmd) compare(e *env, settings config.Config) error {
	contest, err := c.contest(settings)
	if err != nil {
		return config.UsageError{Err: err}
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	contest.Progress = bar.runs
	ctx, restore := untilSignal()
	defer restore()
	report, err := contest.Run(ctx)
	bar.end()
	if err != nil {
		return err
	}
	if c.Markdown != "" {
		if err := c.page(report, settings); err != nil {
			return fmt.Errorf("--markdown: %w", err)
		}
	}
	return hand(e, report, c.JSON, report.Pass)
}

// suiteOnly refuses flags that ask something of a single drive.
func (c simCmd) suiteOnly(at *kong.Context) error {
	if c.familyFlags != (familyFlags{}) {
		return config.Usagef("--suite drives scenarios: leave out --family and --test-set, or name members with --only FAMILY/SEED")
	}
	list := given(at, "scenario", "seed", "pilot", "picture", "animation", "track", "record", "page", "realtime")
	if len(list) > 0 {
		return config.Usagef("--suite drives every pilot in virtual time, and draws and keeps no drive: leave out %s; --only chooses scenarios, --seeds how many seeds", strings.Join(list, ", "))
	}
	return c.brainOnly()
}

// contest checks the flags and lists the drives.
func (c simCmd) contest(settings config.Config) (*suite.Contest, error) {
	names := drive.SuiteNames()
	if c.Only != "" {
		names = slices.Compact(slices.Sorted(slices.Values(strings.Split(c.Only, ","))))
	}
	read := append(each("--only", worldFiles(names...)), flagFile{"--config", c.Config})
	if err := errors.Join(checkSeeds(c.Seeds), checkDate(c.Date), writable("--markdown", c.Markdown),
		apart([]flagFile{{"--markdown", c.Markdown}}, read...)); err != nil {
		return nil, err
	}
	contest := &suite.Contest{Seeds: c.Seeds, Calm: true, Workers: runtime.NumCPU()}
	for _, name := range names {
		sc, err := family.Open(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		contest.Scenarios = append(contest.Scenarios, sc)
	}
	options := testbench.Options{
		Period: time.Duration(settings.Loop.Period),
		Length: time.Duration(c.Seconds * float64(time.Second)),
	}
	for _, pilot := range []string{"brain", "vendor", "noise"} {
		if pilot == "brain" && c.kind() != ablation.Neural {
			pilot = drive.Ablated(c.kind())
		}
		contest.Drivers = append(contest.Drivers, drive.Contestant(settings, pilot, options))
	}
	return contest, nil
}

// elsewhere says where to find the rows of the suite that have no drive.
const elsewhere = "The suite leaves two of the bench's scenarios out, because no drive of theirs is judged by itself: `explore` (B13) compares what several drivers have covered, `tmaze` (B14) what one car does in drive after drive. `fieldbrain bench behave --only B13,B14` drives both. " +
	"Every behaviour of the specification, with intervals and a driver without a field beside it, is in `behaviours.md`. B10 (working memory) and B11 (selection) are the field's own and have no body, so no baseline stands beside them: " +
	"`TestB10WorkingMemory` and `TestB11Selection` in `field`. S1 to S3 are `TestS1BusLost`, `TestS1BrainLost` " +
	"and `TestS2FrozenSensor` in `cmd/fieldbrain/drive` and `TestS3ImpossibleFrames` in `cmd/fieldbrain`, S4 is `TestS4EngineLost` in `brain`. " +
	"That no fault makes a false near range is `TestNoFalseNearRange` in `cmd/fieldbrain/drive`. " +
	"These results differ from the specification: a memory comes to rest on whole bins, so from a stimulus between bins it drifts 0.3 to 0.5 bin (RMS) instead of at most 0.3, and then stays; " +
	"with the diffusion in use the thresholds of B10 and B11 shift (docs/decisions/0009); wheels_past judges the bicycle model's wheels, the outer ones of the real car may hang over an edge met at an angle; " +
	"the fail-over of S4 needs a graphics card beside the processor; without one a failed engine stops the car."

// page writes the report's Markdown.
func (c simCmd) page(r *suite.Report, settings config.Config) error {
	command := commandLine("fieldbrain sim --suite", []spelt{
		{c.Seeds != 0, fmt.Sprintf(" --seeds %d", c.Seeds)},
		{c.Only != "", " --only " + c.Only},
		{c.Seconds != 0, fmt.Sprintf(" --seconds %g", c.Seconds)},
		{c.Quality != "", " --quality " + c.Quality},
		{c.kind() != ablation.Neural, " --field " + c.Field},
		{true, " --markdown " + c.Markdown},
	})
	engine, err := drivingEngine(settings)
	if err != nil {
		return err
	}
	h := suite.Heading{Command: command, Date: orToday(c.Date), Engine: engine, Notes: elsewhere}
	return whole(c.Markdown, func(w io.Writer) error { return r.Markdown(w, h) })
}
