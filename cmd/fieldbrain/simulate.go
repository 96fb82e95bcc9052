package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/google/renameio/v2"

	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// simulate runs a scenario, prints the result and fails when the scenario does.
func simulate(e *env, c simCmd, config daemon.Config) error {
	sc, err := scenarios.Load(c.Scenario)
	if err != nil {
		return usageError{err}
	}
	if c.Seed < 0 {
		return usageError{fmt.Errorf("--seed %d: choose 0 or more", c.Seed)}
	}
	d := newSimulated(config)
	options := testbench.Options{
		Period: time.Duration(config.Loop.Period),
		Length: time.Duration(c.Seconds * float64(time.Second)),
	}
	drive := d.virtual
	if c.Realtime {
		drive = d.realtime
	}
	if isTerminal(os.Stderr) {
		options.Progress = progress(e.err)
	}
	result, err := drive(sc, uint64(c.Seed), c.Pilot, options)
	if options.Progress != nil {
		fmt.Fprint(e.err, "\r"+clearLine)
	}
	if err != nil {
		return err
	}
	if c.Picture != "" {
		if err := draw(c.Picture, result); err != nil {
			return fmt.Errorf("--picture: %w", err)
		}
	}
	if c.JSON {
		err = printJSON(e, result)
	} else {
		_, err = io.WriteString(e.out, result.Summary())
		d.describe(e.out, result)
	}
	if err == nil && !result.Pass {
		return errSilent
	}
	return err
}

// simulated is the brain on the bench, with what only its owner can measure.
type simulated struct {
	config   daemon.Config
	clock    *robot.Monotonic // wall time: virtual time stands still in a tick
	recorder *daemon.Recorder
	mind     *mind
	armed    bool
	ticks    uint64
	crowded  bool          // others run in this process: allocations cannot be told apart
	sampled  uint64        // ticks whose allocations were counted
	allocs   uint64        // by those ticks
	counts   daemon.Counts // of the loop, in real time only
}

// newSimulated prepares one run; a second run needs another.
func newSimulated(config daemon.Config) *simulated {
	return &simulated{config: config, clock: robot.NewMonotonic(), recorder: daemon.NewRecorder()}
}

// virtual drives one scenario in virtual time and gives the engine back.
func (d *simulated) virtual(sc *scenarios.Scenario, seed uint64, pilot string, o testbench.Options) (*testbench.Result, error) {
	o.After = d.after
	result, err := testbench.Run(sc, seed, d.chosen(pilot), o)
	if d.mind != nil {
		err = errors.Join(err, d.mind.close())
	}
	if err != nil {
		return nil, err
	}
	result.Pilot = pilot
	return result, nil
}

// chosen returns the pilot of a name the flag allows.
func (d *simulated) chosen(pilot string) testbench.Pilot {
	switch pilot {
	case "vendor":
		return testbench.Vendor
	case "noise":
		return testbench.Noise
	case "reactive":
		return testbench.Reactive
	}
	return d.pilot
}

// sampleEvery is how often a tick's allocations are counted: reading the
// counter stops the world, which must not touch the times of all ticks.
const sampleEvery = 64

// pilot puts the brain into the bench's seat; it arms as soon as it may.
func (d *simulated) pilot(s testbench.Seat) (func(now time.Duration), error) {
	m, err := newMind(d.config, seat{
		body: s.Body, clock: s.Clock, seed: s.Seed, driver: s.Params, task: taskOf(d.config, s.Scenario),
	})
	d.mind = m
	if err != nil {
		return nil, err
	}
	return d.tick, nil
}

func (d *simulated) tick(now time.Duration) {
	d.ticks++
	var before, after runtime.MemStats
	sample := !d.crowded && d.ticks > sampleEvery && d.ticks%sampleEvery == 0
	if sample {
		runtime.ReadMemStats(&before)
	}
	s := daemon.Sample{Start: d.clock.Now(), Warm: !sample && d.ticks > uint64(d.config.Loop.WarmUp)}
	t := d.mind.brain.Tick(now)
	s.End = d.clock.Now()
	if sample {
		runtime.ReadMemStats(&after)
		d.sampled++
		d.allocs += after.Mallocs - before.Mallocs
	}
	d.recorder.Record(t, s)
	if !d.armed {
		d.armed = d.mind.brain.Arm() == nil
	}
}

// after fills in the brain's part of the result.
func (d *simulated) after(_ *testbench.Rig, r *testbench.Result) {
	if d.mind == nil {
		return
	}
	d.recorder.Finish()
	busy := d.recorder.Table(daemon.Counts{}).Rows[daemon.Busy]
	ms := func(t time.Duration) float64 { return t.Seconds() * 1000 }
	r.Engine = d.mind.engine.Name()
	r.FieldHash = fmt.Sprintf("%016x", field.Hash(d.mind.engine))
	r.TickMS = &testbench.Percentiles{P50: ms(busy.P50), P99: ms(busy.P99), P999: ms(busy.P999), Max: ms(busy.Max)}
	if d.sampled > 0 {
		perTick := float64(d.allocs) / float64(d.sampled)
		r.Allocs = &perTick
	}
}

// describe prints the brain's part of the result for a person.
func (d *simulated) describe(w io.Writer, r *testbench.Result) {
	if d.mind != nil {
		fmt.Fprintf(w, "  engine %s, field %s, tick p50 %.3f ms, p99 %.3f ms, max %.3f ms",
			r.Engine, r.FieldHash, r.TickMS.P50, r.TickMS.P99, r.TickMS.Max)
		if r.Allocs != nil {
			fmt.Fprintf(w, ", %.3g allocations per tick", *r.Allocs)
		}
		fmt.Fprintln(w)
	}
	if c := d.counts; c.Ticks > 0 {
		fmt.Fprintf(w, "  real time: %d ticks, %d overran, %d periods skipped\n", c.Ticks, c.Overruns, c.Skipped)
	}
}

// draw writes the run's picture; a file that could not be finished is removed.
func draw(path string, r *testbench.Result) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer f.Cleanup() // does nothing once the file has its name
	if err := picture.PNG(f, r, picture.Default()); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// progress draws a bar of simulated seconds.
func progress(w io.Writer) func(done, total time.Duration) {
	return func(done, total time.Duration) {
		bar(w, int(done/time.Millisecond), int(total/time.Millisecond), fmt.Sprintf("%.0f of %.0f s", done.Seconds(), total.Seconds()))
	}
}

// scenarioNames names the worlds of the test bench.
func scenarioNames() []string { return scenarios.Names() }
