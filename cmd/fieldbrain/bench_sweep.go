package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/sweepworkers"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

type benchSweepCmd struct {
	Drives   int           `help:"Jobs of each of the two sweeps." default:"20000"`
	Seconds  float64       `help:"Length of each drive in simulated seconds." default:"0.5"`
	Pilot    string        `help:"Who drives." default:"brain" placeholder:"NAME"`
	Workers  int           `help:"Worker processes." default:"4"`
	Kills    int           `help:"Workers killed at once, at random." default:"2"`
	Every    time.Duration `help:"From one strike to the next." default:"10s"`
	Restarts int           `help:"Deaths of the server, spread over the sweep." default:"2"`
	Away     time.Duration `help:"How long it then is gone." default:"2s"`
	Lease    time.Duration `help:"How long a worker may be silent before its job is handed out again." default:"10s"`
	Seed     uint64        `help:"Decides whom it strikes." default:"1"`
	Cost     bool          `help:"Only time what a worker costs beside drives without a queue."`
	Block    int           `help:"Drives in each half of a round of that." default:"20"`
	Length   float64       `help:"Their length in simulated seconds." default:"5"`
	roundsFlags
}

// Help says what must come out.
func (benchSweepCmd) Help() string {
	return "Every result must be there once, and equal, bit for bit, to that of a sweep that nobody disturbed. A worker may cost 2 % of the drives' own time."
}

// Run sweeps twice and compares, then times: 0 when all of it holds, 1 when not.
func (c benchSweepCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Cost {
		return c.runBench(e, func(progress func(done, total int)) (findings, bool, error) {
			r, err := c.cost(progress)
			return r, err == nil && r.sound(), err
		})
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	nats, err := natsProgram()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fieldbrain-sweep-")
	if err != nil {
		return err
	}
	ctx, restore := untilSignal()
	defer restore()
	r, err := c.compare(ctx, e, [2]string{program, nats}, folder)
	if err != nil {
		return fmt.Errorf("bench sweep: %w (the server's files stay in %s)", err, folder)
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return hand(e, r, c.JSON, r.Pass)
}

// check refuses absurd flags.
func (c benchSweepCmd) check() error {
	for _, n := range [...]struct {
		flag             string
		value, low, high int
	}{
		{"drives", c.Drives, 1, sweep.MaxJobs},
		{"workers", c.Workers, 1, 1000},
		{"kills", c.Kills, 0, c.Workers},
		{"restarts", c.Restarts, 0, 1000},
		{"block", c.Block, 2, 10_000},
	} {
		if n.value < n.low || n.value > n.high {
			return config.Usagef("--%s %d: choose %d to %d", n.flag, n.value, n.low, n.high)
		}
	}
	switch {
	case c.Every < 100*time.Millisecond || c.Away < 0 || c.Away > time.Hour:
		return config.Usagef("--every %v --away %v: choose 100ms and more, and up to 1h", c.Every, c.Away)
	case c.Lease < queue.LeastLease || c.Lease > time.Hour:
		return config.Usagef("--lease %v: choose %v to 1h", c.Lease, queue.LeastLease)
	case !drive.Known(c.Pilot):
		return config.Usagef("--pilot %s: unknown; fieldbrain sim --help names them", c.Pilot)
	}
	return errors.Join(checkSeconds("seconds", c.Seconds, time.Hour, "an hour"), checkSeconds("length", c.Length, time.Hour, "an hour"))
}

// batch lists drives in the room.
func (c benchSweepCmd) batch(drives int, seconds float64, first int, twice float64) (*sweep.Batch, error) {
	text := fmt.Sprintf("title = \"bench sweep\"\nscenarios = [\"room\"]\npilots = [%q]\nseconds = %g\ntwice = %g\n[seeds]\nfirst = %d\ncount = %d\n", c.Pilot, seconds, twice, first, drives)
	file, err := sweep.Parse("bench", []byte(text), drive.Known)
	if err != nil {
		return nil, err
	}
	return file.Batch(func(engine string, settings []sweep.Setting) ([]byte, error) {
		return configure(config.Default(), engine, settings)
	})
}

// compare sweeps without and with a storm.
func (c benchSweepCmd) compare(ctx context.Context, e *env, programs [2]string, folder string) (*stormReport, error) {
	batch, err := c.batch(c.Drives, c.Seconds, 1, 0.01)
	if err != nil {
		return nil, err
	}
	r := &stormReport{Drives: len(batch.Jobs), Workers: c.Workers, Machine: pageFlags{}.machine()}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	defer bar.end()
	var digests [2]map[string]string
	for i, storm := range []sweepworkers.Storm{{}, {Kills: c.Kills, Every: c.Every, Restarts: c.Restarts, Away: c.Away, Seed: c.Seed}} {
		began := time.Now()
		drill := sweepworkers.Drill{
			Program: programs[0], NATS: programs[1], Folder: filepath.Join(folder, fmt.Sprint(i)), Batch: batch,
			Workers: c.Workers, Lease: c.Lease, Storm: storm,
			Progress: func(p queue.Progress) { bar.show(i*p.Wanted+p.Done, 2*p.Wanted, sweeping(p)) },
		}
		tally, damage, err := drill.Run(ctx)
		if err != nil {
			return nil, err
		}
		digests[i] = tally.Digests()
		report := tally.Report()
		half := stormHalf{
			Results: report.Results, Failed: report.Failed, Twice: report.Twice, Handed: report.Handed,
			Differences: len(report.Differences),
			Damage:      damage, Seconds: time.Since(began).Seconds(), Pass: report.Pass && damage.Stored == tally.Wanted(),
		}
		if i == 0 {
			r.Calm = half
		} else {
			r.Storm = half
		}
	}
	r.judge(digests[0], digests[1])
	return r, nil
}
