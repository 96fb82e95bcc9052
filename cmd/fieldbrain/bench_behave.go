package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/config"
	"fieldbrain/field/ablation"
	"fieldbrain/field/cpu"
	"fieldbrain/files"
	"fieldbrain/testbench/behave"
)

type benchBehaveCmd struct {
	Only   []string      `help:"These behaviours, such as B1,B3." placeholder:"IDS" sep:","`
	Seeds  int           `help:"Seeds of each behaviour; 0 takes the specification's." default:"0"`
	Soak   time.Duration `help:"Length of S5 in virtual time; the specification's is 8h." default:"10m"`
	JSON   bool          `help:"Print one JSON object." name:"json"`
	Report string        `help:"Also write the report as Markdown, its pictures into a folder of its name." placeholder:"FILE"`
	pageFlags
	engineFlags
	fieldFlag
	Config string `help:"Configuration file for [engine] and [brain]." placeholder:"FILE"`
}

// Run runs the behavioural suite: 0 when every behaviour passes, 1 when not.
func (c benchBehaveCmd) Run(e *env) error {
	settings, err := c.over(c.Config)
	if err != nil {
		return err
	}
	options, err := c.options(settings)
	if err != nil {
		return config.UsageError{Err: err}
	}
	defer os.RemoveAll(options.Scratch)
	bar := newMeter(e.err, isTerminal(os.Stderr))
	options.Progress = bar.runs
	ctx, restore := untilSignal()
	defer restore()
	begun := time.Now()
	report, err := behave.Run(ctx, options)
	bar.end()
	if err != nil {
		return err
	}
	if c.Report != "" {
		if err := c.write(report, time.Since(begun)); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return hand(e, report, c.JSON, report.Passed)
}

// options checks the flags and makes a folder for the suite's own files.
func (c benchBehaveCmd) options(settings config.Config) (o behave.Options, err error) {
	if c.Soak < 10*time.Second || c.Soak > 24*time.Hour {
		return o, fmt.Errorf("--soak %v: choose 10s to 24h", c.Soak)
	}
	if c.Report != "" && filepath.Ext(c.Report) == "" {
		return o, fmt.Errorf("--report: %s: give the file an ending, .md: its pictures go to a folder without", c.Report)
	}
	if err := errors.Join(checkSeeds(c.Seeds), checkDate(c.Date), writable("--report", c.Report),
		apart([]flagFile{{"--report", c.Report}}, flagFile{"--config", c.Config})); err != nil {
		return o, err
	}
	o = behave.Options{
		Make: minds(settings, c.kind()), Field: bareField(settings.Engine), Parts: behaveParts(settings),
		Period: time.Duration(settings.Loop.Period), Engines: cpu.ISAs(), Only: c.Only, Seeds: c.Seeds,
		Soak: c.Soak, Draw: c.Report != "", Workers: runtime.NumCPU(),
	}
	if err := o.Check(); err != nil {
		return o, fmt.Errorf("--only: %w", err)
	}
	if o.Engine, err = drivingEngine(settings); err != nil {
		return o, err
	}
	o.Scratch, err = os.MkdirTemp("", "fieldbrain-behave-")
	return o, err
}

// write puts the pictures beside the page and then the page, each whole or not
// at all, and removes pictures of an earlier page.
func (c benchBehaveCmd) write(r *behave.Report, took time.Duration) error {
	folder := strings.TrimSuffix(c.Report, filepath.Ext(c.Report))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, p := range r.Pictures {
		wanted[p.File] = true
		if err := files.Write(filepath.Join(folder, p.File), p.PNG); err != nil {
			return err
		}
	}
	if err := c.removeOld(folder, wanted); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := r.Markdown(&page, c.heading(folder, took)); err != nil {
		return err
	}
	return files.Write(c.Report, page.Bytes())
}

// removeOld removes the pictures that an earlier page shows and this one does not.
// What else lies in the folder is somebody else's.
func (c benchBehaveCmd) removeOld(folder string, wanted map[string]bool) error {
	page, err := files.Reader{Max: maxReport}.Read(c.Report)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.png"))
	for _, path := range old {
		name := filepath.Base(path)
		if !wanted[name] && bytes.Contains(page, []byte("("+filepath.Base(folder)+"/"+name+")")) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// heading says how the report was made.
func (c benchBehaveCmd) heading(folder string, took time.Duration) behave.Heading {
	command := commandLine("fieldbrain bench behave", []spelt{
		{len(c.Only) > 0, " --only " + strings.Join(c.Only, ",")},
		{c.Seeds != 0, fmt.Sprintf(" --seeds %d", c.Seeds)},
		{c.Soak != behave.DefaultSoak, fmt.Sprintf(" --soak %v", c.Soak)},
		{c.Engine != "", " --engine " + c.Engine},
		{c.Step != "", " --step " + c.Step},
		{c.kind() != ablation.Neural, " --field " + c.Field},
		{true, " --report " + c.Report},
	})
	return behave.Heading{
		Command: command, Date: orToday(c.Date), Machine: c.machine(), Folder: filepath.Base(folder),
		Took: fmt.Sprintf("%v, %v of processor time,", took.Round(time.Second), processorTime().Round(time.Second)),
	}
}

// processorTime returns what this process has used of all processors: on a busy
// machine it says more than the clock.
func processorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
