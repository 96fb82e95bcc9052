package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/train"
	"fieldbrain/testbench/trials"
)

// trainCmd trains a policy.
type trainCmd struct {
	Family      string  `help:"Family of worlds to learn in, one in which the car may drive anywhere; sim --list names the families." default:"room" complete:"family"`
	Profile     string  `help:"Sensors: P0 is the front beam, P1 five beams." enum:"P0,P1" default:"P1"`
	Out         string  `help:"The policy's file, which ends in .policy; FAMILY.policy when left out. The training itself is kept beside it, in a file that ends in .training." placeholder:"FILE"`
	Seed        uint64  `help:"Decides samples, worlds and noise." default:"1"`
	Hidden      int     `help:"Units of the network." default:"6"`
	Population  int     `help:"Samples of a generation." default:"24"`
	Worlds      int     `help:"Worlds that each sample drives in." default:"6"`
	Seconds     float64 `help:"Length of a drive, in simulated seconds." default:"120"`
	Warm        int     `help:"First generations, whose drives take a third of that." default:"60"`
	Generations int     `help:"Generations at most." default:"160"`
	Patience    int     `help:"End when so many looks at held-out worlds, one in five generations, saw nothing better." default:"10"`
	Workers     int     `help:"Threads; 0 takes one per processor. The policy does not depend on it." default:"0"`
	Afresh      bool    `help:"Forget the training that there is."`
	JSON        bool    `help:"Print one JSON object." name:"json"`
	examFlags
	pageFlags
	Config string `help:"Configuration file for [engine] and [brain], where brain is among --against." placeholder:"FILE"`
}

// Help says what stays where.
func (trainCmd) Help() string {
	return "An interrupted training goes on where it was when the same command is given again: after every generation its file is whole. One training at a time writes it. " +
		"With --report the policy then drives worlds that nobody trained in, beside others, and a page says who is better (docs/training.md)."
}

// Run trains: 0 when the training is over.
func (c trainCmd) Run(e *env) error {
	if c.Out == "" {
		c.Out = c.Family + policy.Suffix
	}
	options := c.options()
	if err := errors.Join(options.Check(), c.check()); err != nil {
		return asUsage(err)
	}
	rivals, err := c.rivals()
	if err != nil {
		return config.UsageError{Err: err}
	}
	claim, err := train.Take(c.training())
	if errors.Is(err, train.ErrBusy) {
		return config.Usagef("--out %w", err)
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer claim.Close()
	from, err := c.resume()
	if err != nil {
		return config.UsageError{Err: err}
	}
	fmt.Fprintf(e.err, "fieldbrain: the policy learns in the family %s, %s, and is written to %s\n", c.Family, c.Profile, daemon.Printable(c.Out))
	bar := newMeter(e.err, isTerminal(os.Stderr))
	options.Progress = func(done, total int, last train.Point) {
		bar.show(done, total, fmt.Sprintf("generation %d of %d, cost %.3f", done, total, last.Mean))
	}
	options.Keep = c.keep
	ctx, restore := untilSignal()
	defer restore()
	done, err := train.Run(ctx, options, from)
	bar.end()
	switch {
	case errors.Is(err, train.ErrOther):
		return config.Usagef("%s: %w: give the same ones, name another --out, or begin anew with --afresh", c.training(), err)
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("train: interrupted after generation %d; the same command goes on from there", len(done.Curve))
	case err != nil:
		return err
	}
	if err := c.keep(done); err != nil { // also where there was nothing left to do
		return err
	}
	return c.finish(ctx, e, done, rivals)
}

// options returns the flags as package train takes them.
func (c trainCmd) options() train.Options {
	return train.Options{
		Family: c.Family, Profile: plant.Profile(c.Profile), Seed: c.Seed, Hidden: c.Hidden, Population: c.Population,
		Worlds: c.Worlds, Seconds: c.Seconds, Warm: c.Warm, Generations: c.Generations, Patience: c.Patience, Workers: c.Workers,
	}
}

// check refuses files that could not be written in the end.
func (c trainCmd) check() error {
	if !policy.Named(c.Out) {
		return fmt.Errorf("--out %s: a policy's file ends in %s", c.Out, policy.Suffix)
	}
	if c.Report != "" && (sameFile(c.Report, c.Out) || sameFile(c.Report, c.training())) {
		return fmt.Errorf("--report %s: the policy or its training is kept there; name another file", c.Report)
	}
	return errors.Join(
		writable("--out", c.Out), writable("--out", c.training()), c.checkExam(), checkDate(c.Date),
		apart([]flagFile{{"--report", c.Report}}, flagFile{"--config", c.Config}),
	)
}

// training returns the checkpoint's file.
func (c trainCmd) training() string { return strings.TrimSuffix(c.Out, policy.Suffix) + ".training" }

// resume returns the checkpoint to go on from, nil to begin.
func (c trainCmd) resume() (*train.Checkpoint, error) {
	if c.Afresh {
		return nil, nil
	}
	return train.ReadCheckpoint(c.training())
}

// keep writes the training, and the policy once there is one.
func (c trainCmd) keep(now *train.Checkpoint) error {
	err := now.Write(c.training())
	if err == nil && now.At > 0 {
		var saved policy.Saved
		if saved, err = now.Saved(); err == nil {
			err = saved.Write(c.Out)
		}
	}
	return unkept(err, now.At > 0)
}

// unkept says what there is of a training whose last generation could not be written.
func unkept(err error, some bool) error {
	switch {
	case err == nil:
		return nil
	case !some && fullDisk(err):
		return fmt.Errorf("train: %w: "+room+" and give the same command again", err)
	case !some:
		return fmt.Errorf("train: %w", err)
	case fullDisk(err):
		return fmt.Errorf("train: %w: the generations kept before stay; "+room+" and give the same command again, which goes on from there", err)
	}
	return fmt.Errorf("train: %w: the generations kept before stay, and the same command goes on from there", err)
}

// finish examines the policy where that was asked for, and says what came out.
func (c trainCmd) finish(ctx context.Context, e *env, done *train.Checkpoint, rivals []trials.Pilot) error {
	result := trained{
		File: c.Out, Generations: len(done.Curve), Hours: float64(done.Steps) / 3.6e6, Cost: done.Cost,
		At: done.At, Ended: done.Ended,
	}
	if c.Report != "" {
		begun := time.Now()
		marks, err := c.exam(ctx, e, done, rivals)
		if err != nil {
			return err
		}
		result.Exam, result.took = marks, time.Since(begun)
		if err := c.page(done, marks); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return hand(e, &result, c.JSON, true)
}

// workers returns how many drives of the exam go on at once.
func (c trainCmd) workers() int {
	if c.Workers == 0 {
		return runtime.NumCPU()
	}
	return c.Workers
}
