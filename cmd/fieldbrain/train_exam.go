package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/files"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/train"
	"fieldbrain/testbench/trials"
)

// examFlags say how a policy is examined.
type examFlags struct {
	Report  string   `help:"Let the policy drive in the bench, in worlds that nobody trained in, and write learning curve and figures as Markdown, the picture into a folder of its name." placeholder:"FILE"`
	Test    int      `name:"test-worlds" help:"With --report: so many of them." default:"200"`
	Against []string `help:"With --report: who else drives there." default:"reactive" sep:"," placeholder:"NAMES" complete:"pilot"`
}

// checkExam refuses an exam that cannot be written, or of nothing.
func (f examFlags) checkExam() error {
	switch {
	case f.Test < 1 || f.Test > 10_000:
		return fmt.Errorf("--test-worlds %d: choose 1 to 10000", f.Test)
	case f.Report != "" && filepath.Ext(f.Report) == "":
		return fmt.Errorf("--report: %s: give the file an ending, .md: its picture goes to a folder without", f.Report)
	case len(f.Against) == 0:
		return errors.New("--against: name somebody, such as reactive")
	}
	return writable("--report", f.Report)
}

// rivals returns those that the flags name.
func (c trainCmd) rivals() (list []trials.Pilot, err error) {
	settings, _, err := loadConfig(c.Config)
	if err != nil {
		return nil, err
	}
	o := testbench.Options{Period: time.Duration(settings.Loop.Period)}
	for i, name := range c.Against {
		switch {
		case !drive.Known(name):
			return nil, fmt.Errorf("--against %s: unknown; there are %s, noise and brain/KIND", name, strings.Join(drive.Pilots(), ", "))
		case slices.Contains(c.Against[:i], name):
			return nil, fmt.Errorf("--against: %s is named twice", name)
		}
		list = append(list, drive.Trial(settings, name, o))
	}
	return list, nil
}

// exam lets the policy and its rivals drive.
func (c trainCmd) exam(ctx context.Context, e *env, done *train.Checkpoint, rivals []trials.Pilot) (*train.Marks, error) {
	saved, err := done.Saved()
	if err != nil {
		return nil, err
	}
	policy := trials.Pilot{Name: "policy", Drive: func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error) {
		return testbench.Run(sc, seed, saved.Pilot(), testbench.Options{Map: m})
	}}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	x := train.Exam{
		Family: c.Family, Profile: plant.Profile(c.Profile), Worlds: c.Test,
		Pilots: append([]trials.Pilot{policy}, rivals...), Workers: c.workers(), Progress: bar.runs,
	}
	marks, err := x.Run(ctx)
	bar.end()
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("train: interrupted in the exam; the training is over, and the same command examines it again")
	}
	return marks, err
}

// page writes picture and page, the picture first.
func (c trainCmd) page(done *train.Checkpoint, marks *train.Marks) error {
	folder := strings.TrimSuffix(c.Report, filepath.Ext(c.Report))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var curve bytes.Buffer
	if err := done.Draw(&curve, "png"); err != nil {
		return err
	}
	if err := files.Write(filepath.Join(folder, "curve.png"), curve.Bytes()); err != nil {
		return err
	}
	h := train.Heading{
		Command: c.command(), Date: orToday(c.Date), Machine: c.machine(),
		Picture: filepath.ToSlash(filepath.Join(filepath.Base(folder), "curve.png")),
	}
	if at, err := filepath.Rel(filepath.Dir(c.Report), c.Out); err == nil && filepath.IsLocal(at) {
		h.Policy, h.Pilot = filepath.ToSlash(at), filepath.ToSlash(c.Out)
	}
	return whole(c.Report, func(w io.Writer) error { return done.Markdown(w, marks, h) })
}

// command spells the command that made the page.
func (c trainCmd) command() string {
	d := train.Default()
	return commandLine("fieldbrain train", []spelt{
		{c.Family != d.Family, " --family " + c.Family},
		{c.Profile != string(d.Profile), " --profile " + c.Profile},
		{c.Seed != d.Seed, fmt.Sprintf(" --seed %d", c.Seed)},
		{c.Hidden != d.Hidden, fmt.Sprintf(" --hidden %d", c.Hidden)},
		{c.Population != d.Population, fmt.Sprintf(" --population %d", c.Population)},
		{c.Worlds != d.Worlds, fmt.Sprintf(" --worlds %d", c.Worlds)},
		{c.Seconds != d.Seconds, fmt.Sprintf(" --seconds %g", c.Seconds)},
		{c.Warm != d.Warm, fmt.Sprintf(" --warm %d", c.Warm)},
		{c.Generations != d.Generations, fmt.Sprintf(" --generations %d", c.Generations)},
		{c.Patience != d.Patience, fmt.Sprintf(" --patience %d", c.Patience)},
		{true, " --out " + c.Out},
		{c.Test != 200, fmt.Sprintf(" --test-worlds %d", c.Test)},
		{!slices.Equal(c.Against, []string{"reactive"}), " --against " + strings.Join(c.Against, ",")},
		{true, " --report " + c.Report},
	})
}

// trained is what a training came to.
type trained struct {
	File        string       `json:"file"`
	Generations int          `json:"generations"`
	Hours       float64      `json:"driven_h"` // simulated
	Cost        float64      `json:"cost"`     // in the held-out worlds
	At          int          `json:"best_generation"`
	Ended       string       `json:"ended"`
	Exam        *train.Marks `json:"exam,omitempty"`

	took time.Duration
}

// Print writes it for a person.
func (t *trained) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: cost %.3f in held-out worlds, best after generation %d of %d, %.1f h driven; %s\n  fieldbrain sim --pilot %s lets it drive\n",
		t.File, t.Cost, t.At, t.Generations, t.Hours, t.Ended, t.File)
	if err != nil || t.Exam == nil {
		return err
	}
	if err := t.Exam.Print(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "examined in %.0f s\n", t.took.Seconds())
	return err
}
