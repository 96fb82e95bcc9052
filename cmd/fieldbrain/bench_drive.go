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

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/trials"
)

type benchDriveCmd struct {
	Worlds   int      `help:"Worlds of each profile, dealt to the families in turn." default:"200"`
	Clutter  int      `help:"Worlds of the family clutter, at least; the judged pilot alone drives those beyond its turn." default:"100"`
	Tables   int      `help:"Worlds of the family table, likewise." default:"100"`
	Profile  []string `help:"Cars: P0 has the front sonar only, P1 five beams." default:"P0,P1" sep:"," placeholder:"NAMES"`
	Families []string `help:"These families; all but jumble, bends and line-corners when left out." sep:"," placeholder:"NAMES" complete:"family"`
	Pilots   []string `help:"Who drives, the judged one first; all but noise when left out. brain/KIND is the brain without a part of its field, NAME.policy a file of fieldbrain train." sep:"," placeholder:"NAMES"`
	Set      string   `help:"Worlds for tuning (train) or for judging (test)." enum:"train,test" default:"test"`
	Workers  int      `help:"Drives at once; 0 takes one per processor. The figures do not depend on it." default:"0"`
	Results  string   `help:"Keep every drive in this file, a line of JSON each, and go on from there after an interruption, with what a changed program need not repeat too." placeholder:"FILE"`
	Renew    bool     `help:"Drive again what is in --results and another program drove, or other settings, and drop what it held. Kept are the pilots without the brain, while the bench is the same code."`
	JSON     bool     `help:"Print one JSON object." name:"json"`
	Markdown string   `help:"Also write the report as Markdown." placeholder:"FILE"`
	pageFlags
	engineFlags
	Config string `help:"Configuration file for [engine] and [brain]." placeholder:"FILE"`
}

// Run drives: 0 when every goal is reached that the worlds say something about, 1
// when not.
func (c benchDriveCmd) Run(e *env) error {
	settings, err := c.over(c.Config)
	if err != nil {
		return err
	}
	roster, err := c.roster(settings)
	if err != nil {
		return config.UsageError{Err: err}
	}
	journal, end, err := c.journal(e, settings)
	if err != nil {
		return err
	}
	defer end()
	bar := newMeter(e.err, isTerminal(os.Stderr))
	roster.Progress = bar.runs
	ctx, restore := untilSignal()
	defer restore()
	report, err := trials.Run(ctx, roster, journal)
	bar.end()
	if err != nil {
		return err
	}
	if err := c.keep(report, journal, settings); err != nil {
		return err
	}
	return hand(e, report, c.JSON, report.Pass)
}

// roster checks the flags and lists who drives where.
func (c benchDriveCmd) roster(settings config.Config) (*trials.Roster, error) {
	switch {
	case c.Worlds < 1 || c.Worlds > 10_000:
		return nil, fmt.Errorf("--worlds %d: choose 1 to 10000", c.Worlds)
	case min(c.Clutter, c.Tables) < 0 || max(c.Clutter, c.Tables) > 10_000:
		return nil, fmt.Errorf("--clutter %d --tables %d: choose 0 to 10000", c.Clutter, c.Tables)
	case c.Workers < 0 || c.Workers > 1000:
		return nil, fmt.Errorf("--workers %d: choose 0 to 1000", c.Workers)
	}
	if err := errors.Join(checkDate(c.Date), writable("--results", c.Results), writable("--markdown", c.Markdown),
		c.apart(), knownFamilies(c.Families)); err != nil {
		return nil, err
	}
	roster := &trials.Roster{
		Families: c.Families, Worlds: c.Worlds, Clutter: c.Clutter, Tables: c.Tables,
		Scenes: len(c.Families) == 0, Set: family.Test, Workers: c.Workers,
	}
	if c.Set == family.Train.String() {
		roster.Set = family.Train
	}
	if roster.Workers == 0 {
		roster.Workers = runtime.NumCPU()
	}
	if len(roster.Families) == 0 {
		roster.Families = family.Judged()
	}
	var err error
	if roster.Profiles, err = c.cars(); err != nil {
		return nil, err
	}
	if roster.Pilots, err = c.drivers(settings); err != nil {
		return nil, err
	}
	return roster, roster.Check()
}

// apart refuses a file that has two names among the flags.
func (c benchDriveCmd) apart() error {
	read := append(each("--pilots", policies(c.Pilots...)), flagFile{"--config", c.Config})
	return apart([]flagFile{{"--results", c.Results}, {"--markdown", c.Markdown}}, read...)
}

// cars lists the profiles that shall drive, each once.
func (c benchDriveCmd) cars() (list []plant.Profile, err error) {
	for _, name := range c.Profile {
		profile := plant.Profile(strings.ToUpper(name))
		if len(profile.Sectors()) == 0 || slices.Contains(list, profile) {
			return nil, fmt.Errorf("--profile %s: choose P0, P1 or both", strings.Join(c.Profile, ","))
		}
		list = append(list, profile)
	}
	return list, nil
}

// drivers lists who drives, the judged pilot first.
func (c benchDriveCmd) drivers(settings config.Config) (list []trials.Pilot, err error) {
	names := c.Pilots
	if len(names) == 0 {
		names = drive.Pilots()
	}
	o := testbench.Options{Period: time.Duration(settings.Loop.Period)}
	for _, name := range names {
		if !drive.Known(name) && !policy.Named(name) {
			return nil, fmt.Errorf("--pilots %s: unknown; there are %s, noise, brain/KIND and files of fieldbrain train, NAME.policy", name, strings.Join(drive.Pilots(), ", "))
		}
		if policy.Named(name) {
			if _, err := policy.Read(name); err != nil {
				return nil, fmt.Errorf("--pilots %w", err)
			}
		}
		list = append(list, drive.Trial(settings, name, o))
	}
	return list, nil
}

// keep writes the files that were asked for.
func (c benchDriveCmd) keep(r *trials.Report, j *trials.Journal, settings config.Config) error {
	if c.Results != "" {
		if err := whole(c.Results, j.Write); err != nil { // in order, whoever drove when
			return fmt.Errorf("--results: %w", err)
		}
	}
	if c.Markdown == "" {
		return nil
	}
	h, err := c.heading(settings)
	if err == nil {
		err = whole(c.Markdown, func(w io.Writer) error { return r.Markdown(w, h) })
	}
	if err != nil {
		return fmt.Errorf("--markdown: %w", err)
	}
	return nil
}

// heading says how the report was made.
func (c benchDriveCmd) heading(settings config.Config) (h trials.Heading, err error) {
	command := commandLine("fieldbrain bench drive", []spelt{
		{c.Worlds != 200, fmt.Sprintf(" --worlds %d", c.Worlds)},
		{c.Clutter != 100, fmt.Sprintf(" --clutter %d", c.Clutter)},
		{c.Tables != 100, fmt.Sprintf(" --tables %d", c.Tables)},
		{!slices.Equal(c.Profile, []string{"P0", "P1"}), " --profile " + strings.Join(c.Profile, ",")},
		{len(c.Families) > 0, " --families " + strings.Join(c.Families, ",")},
		{len(c.Pilots) > 0, " --pilots " + strings.Join(c.Pilots, ",")},
		{c.Set != "test", " --set " + c.Set},
		{c.Quality != "", " --quality " + c.Quality},
		{true, " --markdown " + c.Markdown},
	})
	h = trials.Heading{Command: command, Date: orToday(c.Date), Machine: c.machine()}
	h.Engine, err = drivingEngine(settings)
	return h, err
}
