package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/files"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
)

type benchGPUCmd struct {
	Step    string `help:"How the field is stepped." enum:"dense,collapsed" default:"dense"`
	Wait    string `help:"How to wait for the card." enum:"spin,yield,block" default:"yield"`
	Rounds  int    `help:"Turns that everything takes; more are steadier." default:"100"`
	Steps   int    `help:"Whole steps from page to page, for the doorbell: as fast as they go, then one in each period; 0 leaves them out." default:"2000"`
	Parts   bool   `help:"Time what the stages spend their time on, with less input and fewer blocks, instead of the choices."`
	Program string `help:"The program that drives the card; none finds fieldbrain-gpu beside this program, nowhere else." placeholder:"PATH"`
	From    string `help:"Measure nothing: print the report that --json once wrote to this file." placeholder:"FILE"`
	JSON    bool   `help:"Print one JSON object." name:"json"`
}

// pacedSteps bounds the doorbell's steps of which each waits for its period.
const pacedSteps = 4000

// softwareSteps is a count that suffices where times mean nothing and a step takes long.
const softwareSteps = 5

// maxReport bounds a report that is read again, in bytes.
const maxReport = 16 << 20

// Run lets the card's program time itself, then times whole steps through it as
// the daemon makes them.
func (c benchGPUCmd) Run(e *env) error {
	switch {
	case c.Rounds < 1 || c.Rounds > 100_000:
		return config.Usagef("--rounds %d: choose 1 to 100000", c.Rounds)
	case c.Steps < 0 || c.Steps > 10_000_000:
		return config.Usagef("--steps %d: choose 0 to 10000000", c.Steps)
	}
	measure := c.measure
	if c.From != "" {
		measure = c.read
	}
	r, err := measure(e)
	if err != nil {
		return err
	}
	return c.print(e, r)
}

// read takes the report from a file.
func (c benchGPUCmd) read(*env) (*bench.Report, error) {
	text, err := files.Reader{Max: maxReport}.Read(c.From)
	if err != nil {
		return nil, config.Usagef("--from: %w", err)
	}
	r, err := bench.Decode(text)
	if err != nil {
		return nil, config.Usagef("--from %s: %w", c.From, err)
	}
	return r, nil
}

// measure lets the child make the report, and adds the doorbell's row.
func (c benchGPUCmd) measure(e *env) (*bench.Report, error) {
	if c.Program != "" {
		path, err := filepath.Abs(c.Program) // here a person names it, who knows this folder
		if err != nil {
			return nil, config.UsageError{Err: err}
		}
		c.Program = path
	}
	if _, err := gpu.Find(c.Program); err != nil {
		return nil, fmt.Errorf("%w; without it only bench field can run: --program names it here", err)
	}
	ctx, stop := untilSignal()
	defer stop()
	args := []string{"--step", c.Step, "--wait", c.Wait, "--rounds", strconv.Itoa(c.Rounds)}
	if c.Parts {
		args = append(args, "--parts")
	}
	r, err := bench.Child(ctx, c.Program, args, e.err)
	if err != nil {
		return nil, childError(err)
	}
	if r.IsSoftware {
		c.Steps = min(c.Steps, softwareSteps)
	}
	if c.Steps == 0 {
		return r, nil
	}
	if r.Doorbell, err = bench.Ring(ctx, c.options(), c.Steps, 0); err != nil {
		return nil, err
	}
	period := time.Duration(config.Default().Loop.Period)
	r.Paced, err = bench.Ring(ctx, c.options(), min(c.Steps, pacedSteps), period)
	return r, err
}

// print prints a report; a void one fails.
func (c benchGPUCmd) print(e *env, r *bench.Report) error {
	show := r.Print
	if c.JSON {
		show = r.JSON
	}
	if err := show(e.out); err != nil {
		return err
	}
	if r.Void {
		return errSilent // the report says which claim is
	}
	return nil
}

// options returns the supervisor's settings for the doorbell, as the daemon's
// with this configuration.
func (c benchGPUCmd) options() gpu.Options {
	settings := config.Default()
	settings.Engine.Kind, settings.Engine.Step = "cuda", c.Step
	settings.Engine.GPUPath, settings.Engine.GPUWait = c.Program, c.Wait
	return car.GPUOptions(settings.Engine, car.FieldParams(time.Duration(settings.Loop.Period), 0, settings.Brain.Recall))
}

// childError passes the program's exit code on. The command has passed its words
// on already.
func childError(err error) error {
	var code interface{ ExitCode() int }
	if !errors.As(err, &code) {
		return err
	}
	if code.ExitCode() == exitUsage {
		return config.UsageError{Err: err}
	}
	return err
}
