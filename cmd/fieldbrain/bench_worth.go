package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/files"
	"fieldbrain/testbench/worth"
)

type benchWorthCmd struct {
	Only     []string `help:"These questions, such as choosing,goal." placeholder:"IDS" sep:","`
	Seeds    int      `help:"Seeds of each question; 0 takes the question's own count." default:"0"`
	With     []string `help:"Put the questions of earlier runs before these: files that --json wrote." placeholder:"FILES" sep:"," complete:"file"`
	None     bool     `help:"With --with: ask nothing anew."`
	JSON     bool     `help:"Print one JSON object." name:"json"`
	Markdown string   `help:"Also write the report as Markdown." placeholder:"FILE"`
	Notes    string   `help:"A file whose text ends that report." placeholder:"FILE"`
	pageFlags
	engineFlags
	Config string `help:"Configuration file for [engine] and [brain]." placeholder:"FILE"`
}

// Help says what is compared.
func (benchWorthCmd) Help() string {
	return "The same brain answers every question with its field and without a part of it: " + ablation.Names() +
		". Questions: " + strings.Join(worth.Names(), ", ") + "."
}

// Run asks the questions. What the field is worth is no failure.
func (c benchWorthCmd) Run(e *env) error {
	settings, err := c.over(c.Config)
	if err != nil {
		return err
	}
	read := append(each("--with", c.With), flagFile{"--notes", c.Notes}, flagFile{"--config", c.Config})
	if err := errors.Join(c.questions(), checkSeeds(c.Seeds), checkDate(c.Date), writable("--markdown", c.Markdown),
		apart([]flagFile{{"--markdown", c.Markdown}}, read...)); err != nil {
		return config.UsageError{Err: err}
	}
	earlier, err := c.earlier()
	if err != nil {
		return config.UsageError{Err: err}
	}
	notes, err := c.notes()
	if err != nil {
		return config.UsageError{Err: err}
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	ctx, restore := untilSignal()
	defer restore()
	report, err := c.ask(ctx, worth.Options{
		Make:    minds(settings, ablation.Neural),
		Field:   func(p field.Params) (field.Engine, error) { return car.NewEngine(settings.Engine, p, nil) },
		Outcome: func(b *brain.Brain, o float32) { b.Remote().Outcome(o) },
		Period:  time.Duration(settings.Loop.Period), Only: c.Only, Seeds: c.Seeds,
		Workers: runtime.NumCPU(), Progress: bar.runs,
	})
	bar.end()
	if err != nil {
		return err
	}
	report = worth.Join(append(earlier, report)...)
	if c.Markdown != "" {
		if err := c.page(report, notes); err != nil {
			return fmt.Errorf("--markdown: %w", err)
		}
	}
	return hand(e, report, c.JSON, true)
}

// questions refuses a choice of questions that is none.
func (c benchWorthCmd) questions() error {
	if c.None && len(c.With) == 0 {
		return errors.New("--none asks nothing anew: name the files of earlier runs with --with, or leave it out")
	}
	for i, id := range c.Only {
		switch {
		case !slices.Contains(worth.Names(), id):
			return fmt.Errorf("--only %s: unknown; choose from %s", id, strings.Join(worth.Names(), ", "))
		case slices.Contains(c.Only[:i], id):
			return fmt.Errorf("--only: %s is named twice", id)
		}
	}
	return nil
}

// ask runs the questions, unless none shall be asked.
func (c benchWorthCmd) ask(ctx context.Context, o worth.Options) (*worth.Report, error) {
	if c.None {
		return new(worth.Report), nil
	}
	return worth.Run(ctx, o)
}

// earlier reads the reports of earlier runs.
func (c benchWorthCmd) earlier() (list []*worth.Report, err error) {
	for _, name := range c.With {
		text, err := files.Reader{Max: maxReport}.Read(name)
		if err != nil {
			return nil, fmt.Errorf("--with: %w", err)
		}
		r, err := worth.Decode(text)
		if err != nil {
			return nil, fmt.Errorf("--with %s: bench worth --json did not write this: %w", name, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// notes returns the text that ends the report.
func (c benchWorthCmd) notes() (string, error) {
	if c.Notes == "" {
		return "", nil
	}
	text, err := files.Reader{Max: maxReport}.Read(c.Notes)
	if err != nil {
		return "", fmt.Errorf("--notes: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// page writes the report's Markdown.
func (c benchWorthCmd) page(r *worth.Report, notes string) error {
	command := commandLine("fieldbrain bench worth", []spelt{
		{len(c.With) > 0, " --with " + strings.Join(c.With, ",")},
		{c.None, " --none"},
		{len(c.Only) > 0, " --only " + strings.Join(c.Only, ",")},
		{c.Seeds != 0, fmt.Sprintf(" --seeds %d", c.Seeds)},
		{c.Engine != "", " --engine " + c.Engine},
		{true, " --markdown " + c.Markdown},
		{c.Notes != "", " --notes " + c.Notes},
	})
	h := worth.Heading{
		Command: command, Date: orToday(c.Date), Machine: c.machine(),
		Notes: notes,
		Took:  fmt.Sprintf("%v of processor time", processorTime().Round(time.Second)),
	}
	return whole(c.Markdown, func(w io.Writer) error { return r.Markdown(w, h) })
}
