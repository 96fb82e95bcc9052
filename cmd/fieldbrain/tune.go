package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tune"
)

// tuneCmd tunes the brain's own numbers.
type tuneCmd struct {
	Only     []string `help:"Turn these numbers alone; left out, brain.cruise and all of the configuration's section [law] that the sensors let it read." sep:"," placeholder:"KEYS" complete:"number"`
	Profile  string   `help:"Sensors: P0 is the front beam, P1 five beams." enum:"P0,P1" default:"P1"`
	Families []string `help:"Families of worlds, in turn; sixteen of them when left out, sim --list names all." sep:"," placeholder:"NAMES" complete:"family"`
	Budget   int      `help:"Evaluations; the first is of the numbers as they are." default:"120"`
	Patience int      `help:"End when so many evaluations in a row were no better; 0 never." default:"48"`
	Worlds   int      `help:"Train worlds that an evaluation drives in." default:"16"`
	Seconds  float64  `help:"Longest drive of the search, in simulated seconds." default:"60"`
	Seed     uint64   `help:"Decides samples and worlds." default:"1"`
	Workers  int      `help:"Drives at once; 0 takes one per processor. The numbers do not depend on it." default:"0"`
	Out      string   `help:"Configuration file for numbers that were accepted; it ends in .toml." default:"tuned.toml" placeholder:"FILE"`
	Resume   string   `help:"The search's journal, from which an interrupted one goes on; beside --out when left out, in a file that ends in .tuning." placeholder:"FILE" complete:"file"`
	Afresh   bool     `help:"Forget the search that there is."`
	Test     int      `name:"test-worlds" help:"Worlds of the exam." default:"96"`
	Report   string   `help:"Write search and exam as Markdown." placeholder:"FILE"`
	JSON     bool     `help:"Print one JSON object." name:"json"`
	pageFlags
	Config string `help:"Configuration file from whose numbers the search begins; --out is this one with the accepted numbers." placeholder:"FILE" complete:"file"`
}

// Help says what is kept, and what is decided.
func (tuneCmd) Help() string {
	return "An interrupted search goes on where it was when the same command is given again: every evaluation is on the disk. " +
		"Afterwards the numbers before and after drive worlds that the search has not seen; only a cost that is lower beyond its 95 % interval, without more contacts or falls, is accepted and written to --out. " +
		"The defaults change only through a commit that shows the report (docs/tuning.md)."
}

// Run searches and examines: 0 when that is done, whatever the verdict.
func (c tuneCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return asUsage(err)
	}
	settings, _, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	job, err := c.job(settings)
	if err != nil {
		return config.UsageError{Err: err}
	}
	program, err := fingerprint(settings, nil)
	if err != nil {
		return err
	}
	ctx, restore := untilSignal()
	defer restore()
	found, err := c.search(ctx, e, job, program)
	if err != nil {
		return err
	}
	return c.finish(ctx, e, settings, program, found)
}

// check refuses absurd flags, and files that could not be written in the end.
func (c tuneCmd) check() error {
	for _, n := range []struct {
		flag             string
		value, low, high float64
	}{
		{"budget", float64(c.Budget), 1, 10_000},
		{"patience", float64(c.Patience), 0, 10_000},
		{"worlds", float64(c.Worlds), 1, 1000},
		{"seconds", c.Seconds, 5, 600},
		{"seed", float64(c.Seed), 1, 100_000},
		{"workers", float64(c.Workers), 0, 1000},
		{"test-worlds", float64(c.Test), 1, 10_000},
	} {
		if !(n.value >= n.low && n.value <= n.high) { // NaN fails
			return fmt.Errorf("--%s %v: choose %v to %v", n.flag, n.value, n.low, n.high)
		}
	}
	switch {
	case !strings.HasSuffix(c.Out, ".toml"):
		return fmt.Errorf("--out %s: name a configuration file, one that ends in .toml", c.Out)
	case sameFile(c.Out, c.Report) || sameFile(c.journal(), c.Out) || sameFile(c.journal(), c.Report) || sameFile(c.drives(), c.Report):
		return errors.New("--out, --resume and --report: name three files")
	}
	written := []flagFile{{"--out", c.Out}, {"--report", c.Report}, {"--resume", c.journal()}, {"--resume", c.drives()}}
	return errors.Join(
		apart(written, flagFile{"--config", c.Config}), writable("--out", c.Out),
		writable("--resume", c.journal()), writable("--resume", c.drives()), writable("--report", c.Report),
		checkDate(c.Date),
	)
}

// journal returns the search's file.
func (c tuneCmd) journal() string {
	if c.Resume != "" {
		return c.Resume
	}
	return strings.TrimSuffix(c.Out, ".toml") + ".tuning"
}

// drives returns the exam's file, beside the search's.
func (c tuneCmd) drives() string { return c.journal() + ".exam" }

// job returns the search that the flags ask for.
func (c tuneCmd) job(settings config.Config) (tune.Job, error) {
	job := tune.Job{
		Pilot: "brain", Profile: plant.Profile(c.Profile), Families: c.Families, Seed: c.Seed, Budget: c.Budget, Patience: c.Patience,
		Worlds: c.Worlds, Seconds: c.Seconds, Workers: c.Workers,
	}
	if err := knownFamilies(c.Families); err != nil {
		return job, err
	}
	var err error
	if job.Knobs, err = chosenKnobs(settings, job.Profile, c.Only); err != nil {
		return job, err
	}
	job.Drive = func(values []float64, sc *scenarios.Scenario, o testbench.Options) (*testbench.Result, error) {
		o.Period = settings.Loop.Params().Period
		return drive.Contestant(turned(settings, job.Knobs, values), "brain", o).Run(sc, 1)
	}
	return job, nil
}

// search searches, from the journal on.
func (c tuneCmd) search(ctx context.Context, e *env, job tune.Job, program string) (*tune.Report, error) {
	if c.Afresh {
		if err := tune.Forget(c.journal()); err != nil {
			return nil, config.Usagef("--afresh: %w", err)
		}
	}
	journal, err := tune.OpenJournal(c.journal(), program, job)
	if errors.Is(err, tune.ErrJournal) {
		return nil, config.Usagef("--resume %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	job.Journal = journal
	job.Progress = func(done, total int, best float64) {
		bar.show(done, total, fmt.Sprintf("evaluation %d of %d, best cost %.3f", done, total, best))
	}
	r, err := tune.Run(ctx, job)
	bar.end()
	switch err = errors.Join(err, journal.Close()); {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("tune: interrupted after %d evaluations, which %s holds; the same command goes on from there", journal.Len(), c.journal())
	case errors.Is(err, tune.ErrJournal):
		return nil, config.Usagef("--resume %w", err)
	case err != nil:
		return nil, err
	}
	return r, nil
}
