//go:build cuda

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"fieldbrain/field"
	"fieldbrain/files"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
	"fieldbrain/gpu/worker"
)

// A measure is a run by which people learn how right and how fast the card is.
type measure struct {
	bench, selftest, json bool
	fleet, tasks          bool
	cars, timeline        string
	parts                 bool
	rounds, ticks         int
	step, wait            string
}

// measureFlags adds the flags.
func measureFlags(f *flag.FlagSet) *measure {
	m := new(measure)
	f.BoolVar(&m.selftest, "selftest", false, "hold the field on the card against the processor's, bit for bit, and end")
	f.IntVar(&m.ticks, "ticks", 100, "with --selftest: how many")
	f.BoolVar(&m.bench, "bench", false, "time everything on the card and end")
	f.BoolVar(&m.fleet, "fleet", false, "time simulated cars on the card, print one JSON object and end; fieldbrain bench fleet --card makes a table of it")
	f.BoolVar(&m.tasks, "tasks", false, "time environments for learners on the card, print one JSON object and end")
	f.StringVar(&m.cars, "cars", "", "with --fleet and --tasks: numbers of cars, with commas between")
	f.StringVar(&m.timeline, "timeline", "", "print what every block of a tick does and end; kernels of a diagnostic build, that make stamps writes")
	f.BoolVar(&m.json, "json", false, "with --bench: one JSON object")
	f.BoolVar(&m.parts, "parts", false, "with --bench: what the stages spend their time on, instead of the choices")
	f.IntVar(&m.rounds, "rounds", 100, "with --bench: turns that everything takes")
	f.StringVar(&m.step, "step", "dense", "with --bench: dense or collapsed")
	f.StringVar(&m.wait, "wait", string(gpu.WaitYield), "with --bench: spin, yield or block")
	return m
}

func (m *measure) wanted() bool {
	return m.bench || m.selftest || m.fleet || m.tasks || m.cars != "" || m.timeline != ""
}

// steps are the ways to step a field.
func steps() map[string]field.StepKind {
	return map[string]field.StepKind{"dense": field.Dense, "collapsed": field.Collapsed}
}

// check refuses wrong flags.
func (m *measure) check() error {
	_, known := steps()[m.step]
	switch {
	case m.rounds < 1 || m.rounds > 100_000 || m.ticks < 1 || m.ticks > 1_000_000:
		return errors.New("choose --rounds 1 to 100000, --ticks 1 to 1000000")
	case !known:
		return fmt.Errorf("--step %q: choose dense or collapsed", m.step)
	}
	return m.checkAlone()
}

// checkAlone refuses what does not go with cars, or with a timeline.
func (m *measure) checkAlone() error {
	cars, whole := m.fleet || m.tasks, m.bench || m.selftest || m.parts
	switch {
	case m.timeline != "" && (cars || whole || m.cars != ""):
		return errors.New("--timeline: a call of its own; leave out --bench, --selftest, --parts, --fleet, --tasks and --cars")
	case cars && whole, m.fleet && m.tasks:
		return errors.New("--fleet and --tasks: each times cars alone; leave out the other, --bench, --selftest and --parts")
	case m.cars != "" && !cars:
		return errors.New("--cars: wants --fleet or --tasks beside it")
	}
	_, err := m.sizes()
	return err
}

// run runs the self-test, the bench, or one after the other, or times cars.
func (m *measure) run() error {
	if err := m.check(); err != nil {
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu:", err)
		return errUse
	}
	switch {
	case m.timeline != "":
		image, err := files.Reader{Max: 64 << 20}.Read(m.timeline)
		if err != nil {
			return fmt.Errorf("--timeline: %w; make stamps writes bin/stamps.fatbin", err)
		}
		return worker.Timeline(image, steps()[m.step], os.Stdout)
	case m.fleet:
		return m.runFleet()
	case m.tasks:
		return m.runTasks()
	}
	if m.selftest {
		if err := worker.SelfTest(kernels.Fatbin(), m.ticks, os.Stdout); err != nil {
			return errors.New("the self-test failed: do not drive with this card")
		}
	}
	if !m.bench {
		return nil
	}
	r, err := worker.Bench(worker.BenchOptions{
		Step: steps()[m.step], Wait: gpu.Wait(m.wait), Rounds: m.rounds, Parts: m.parts, Image: kernels.Fatbin(), Progress: progress(),
	})
	if err != nil {
		return err
	}
	if m.json {
		return r.JSON(os.Stdout)
	}
	return r.Print(os.Stdout)
}

// progress counts rounds on a terminal, on standard error.
func progress() func(done, total int) {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return func(done, total int) {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", done, total)
		if done == total {
			fmt.Fprintln(os.Stderr)
		}
	}
}
