package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/alecthomas/kong"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/film"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
)

type simCmd struct {
	Scenario string `help:"Scenario to run: a built-in name, a file that ends in .toml, or a member of a family, FAMILY/SEED." default:"room" placeholder:"NAME" complete:"scenario,file"`
	familyFlags
	List     bool    `help:"List the built-in scenarios and the families of worlds with their titles and end."`
	Seed     int64   `help:"Decides obstacles and noise; left out, a member of a family that --scenario names has its own." default:"7"`
	Seconds  float64 `help:"Length in simulated seconds; 0 takes the scenario's." default:"0"`
	Pilot    string  `help:"Who drives: brain, a baseline (docs/baselines.md), that is reactive, vendor, noise, reactive+, attractor, vfh, dwa, tangentbug, astar, mppi, or oracle, which knows the true map; or a policy that fieldbrain train wrote, a file that ends in .policy." default:"brain" placeholder:"NAME" complete:"pilot,file"`
	Picture  string  `help:"Draw the run from above: a file that ends in .png, .jpg or .svg." placeholder:"FILE"`
	Movie    string  `name:"animation" help:"Show the run and its heading field as a moving picture: a file that ends in .gif." placeholder:"FILE"`
	Track    string  `help:"Write the way driven as CSV: pose, ranges, peak and command, 20 times a second (docs/worlds.md)." placeholder:"FILE"`
	Record   string  `help:"Record everything that enters the brain's ticks and what comes out: a file that ends in .mcap, for fieldbrain replay and Foxglove (docs/recording.md)." placeholder:"FILE"`
	Page     string  `help:"Write a telemetry page, and a flight ring beside it: a file that ends in .page, for fieldbrain top and status --page (docs/telemetry.md)." placeholder:"FILE"`
	Realtime bool    `help:"Drive in real time, with the driver's own threads, instead of virtual time."`
	JSON     bool    `help:"Print one JSON object." name:"json"`
	Suite    bool    `help:"Drive the scenarios with all their seeds, as brain, vendor and noise, and compare; without explore and tmaze, whose limits compare and repeat drives (bench behave)."`
	suiteFlags
	engineFlags
	fieldFlag
	Order  []string `help:"Give the brain an order on its way: when and what, such as \"5s goal 2 1\", drive by hand, \"5s drive 0.5 -0.2 3s\", or change a parameter, \"5s set brain.cruise 0.2\"; as often as you like (fieldbrain help go)." sep:"none" placeholder:"ORDER"`
	Config string   `help:"Configuration file for [engine] and [brain]." placeholder:"FILE"`
}

// familyFlags choose a world that is made.
type familyFlags struct {
	Family  string `help:"Drive in the member of a family of worlds that --seed names, instead of a scenario; --list names the families." placeholder:"NAME" complete:"family"`
	TestSet bool   `name:"test-set" help:"Take the member from the family's test set, on which nothing may be tuned."`
}

// fieldFlag takes a part of the field away, to see what it is worth.
type fieldFlag struct {
	Field string `help:"Take a part of the brain's field away: attractor, argmax or lowpass decide the heading, point remembers the goal, forget remembers nothing; neural is the whole field." enum:"neural,attractor,argmax,lowpass,point,forget" default:"neural" placeholder:"KIND"`
}

// kind returns the flag's value.
func (f fieldFlag) kind() ablation.Kind { return ablation.Kind(f.Field) }

// Run runs the scenario: 0 when it passes, 1 when it fails.
func (c simCmd) Run(e *env, at *kong.Context) error {
	if c.List {
		return listScenarios(e, c.JSON)
	}
	if err := checkSeconds("seconds", c.Seconds, 7*24*time.Hour, "a week"); err != nil {
		return err
	}
	settings, err := c.over(c.Config)
	if err != nil {
		return err
	}
	if c.Suite {
		if err := c.suiteOnly(at); err != nil {
			return err
		}
		return c.compare(e, settings)
	}
	if c.Family != "" && len(given(at, "scenario")) > 0 {
		return config.Usagef("--family makes a world, --scenario names one: leave one of them out")
	}
	if err := errors.Join(checkPilot("--pilot", c.Pilot), c.brainOnly(), once(at, "scenario", "family")); err != nil {
		return err
	}
	if c.suiteFlags != (suiteFlags{}) {
		return config.Usagef("--seeds, --only, --markdown and --date belong to --suite")
	}
	if own, is := family.Seed(c.Scenario); is && len(given(at, "seed")) == 0 {
		c.Seed = int64(own) // as --family and --seed would drive it
	}
	return simulate(e, c, settings)
}

// world opens the scenario, or makes the member of the family.
func (c simCmd) world() (*scenarios.Scenario, error) {
	set := family.Train
	if c.TestSet {
		set = family.Test
	}
	switch {
	case c.Seed < 0:
		return nil, fmt.Errorf("--seed %d: choose 0 or more", c.Seed)
	case c.Family != "":
		return family.Make(c.Family, set, uint64(c.Seed))
	case c.TestSet:
		return nil, fmt.Errorf("--test-set belongs to --family")
	}
	return family.Open(c.Scenario)
}

// brainOnly refuses flags that ask something of a pilot that only the brain has.
func (c simCmd) brainOnly() error {
	switch {
	case c.kind() != ablation.Neural && c.Pilot != "brain":
		return config.Usagef("--field %s: only the brain has one; leave out --pilot %s", c.Field, c.Pilot)
	case len(c.Order) > 0 && (c.Pilot != "brain" || c.Suite):
		return config.Usagef("--order: only the brain takes orders, one drive at a time; leave out --pilot and --suite")
	}
	return nil
}

// orders reads those for the way, and refuses one whose time would never come; end is the
// scenario's, where --seconds says nothing else.
func (c simCmd) orders(end time.Duration) (list []drive.Timed, err error) {
	if c.Seconds > 0 {
		end = time.Duration(c.Seconds * float64(time.Second))
	}
	for _, text := range c.Order {
		o, err := drive.ParseTimed(text)
		if err != nil {
			return nil, config.Usagef("--order %w", err)
		}
		if o.At >= end {
			return nil, config.Usagef("--order %q: the drive ends after %v: give the order before, or drive longer with --seconds", text, end)
		}
		list = append(list, o)
	}
	return list, nil
}

// simulate runs a scenario, prints the result and fails when the scenario does.
func simulate(e *env, c simCmd, settings config.Config) error {
	sc, err := c.world()
	if err != nil {
		return config.UsageError{Err: err}
	}
	sc.Brain.Goal = sc.Brain.Goal || settings.Brain.Goal && sc.World.Goal != nil // then an arrival there is asked for
	if err := c.checkPictures(); err != nil {
		return err
	}
	d := drive.New(settings)
	d.Field = c.kind()
	if d.Orders, err = c.orders(sc.Length()); err != nil {
		return err
	}
	if c.Movie != "" {
		d.Reel = film.NewReel(movieStep)
	}
	options := testbench.Options{
		Period: time.Duration(settings.Loop.Period),
		Length: time.Duration(c.Seconds * float64(time.Second)),
		Rows:   c.Track != "",
	}
	if options.Map, err = oracle.Survey(sc, uint64(c.Seed)); err != nil {
		return config.UsageError{Err: err}
	}
	result, err := c.drive(e, d, sc, settings, options)
	if err != nil {
		return err
	}
	if err := c.keep(d, sc, result); err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(e, result)
	} else {
		_, err = io.WriteString(e.out, result.Summary())
		d.Describe(e.out, result)
	}
	if err == nil && !result.Pass {
		return errSilent
	}
	return err
}

// drive drives, and ends recording and page. A signal ends a drive before its time:
// nothing is judged then, and what was kept is whole.
func (c simCmd) drive(
	e *env, d *drive.Drive, sc *scenarios.Scenario, settings config.Config, o testbench.Options,
) (*testbench.Result, error) {
	run := d.Virtual
	if c.Realtime {
		run = d.Realtime
	}
	tape, err := c.tape(d)
	if err != nil {
		return nil, err
	}
	page, err := c.keepPage(e, d, settings, sc.Name)
	if err != nil {
		return nil, errors.Join(err, tape.Close(true))
	}
	ctx, restore := untilSignal()
	defer restore()
	var interrupted atomic.Bool
	o.Stop = func() bool {
		interrupted.Store(ctx.Err() != nil)
		return interrupted.Load()
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	o.Progress = bar.time
	result, err := run(sc, uint64(c.Seed), c.Pilot, o)
	bar.end()
	err = errors.Join(err, tape.Close(err != nil))
	if err = errors.Join(err, page.end(err != nil)); err != nil {
		return nil, err
	}
	if interrupted.Load() {
		return nil, fmt.Errorf("sim: interrupted after %.1f s%s", result.Seconds, c.kept())
	}
	return result, nil
}

// kept says where an interrupted drive is kept.
func (c simCmd) kept() string {
	switch {
	case c.Record != "" && c.Page != "":
		return fmt.Sprintf("; %s and %s hold the drive up to there", c.Record, c.Page)
	case c.Record+c.Page != "":
		return fmt.Sprintf("; %s holds the drive up to there", c.Record+c.Page)
	}
	return ""
}
