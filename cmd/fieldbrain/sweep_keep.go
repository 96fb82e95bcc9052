package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbrain/daemon"
	"fieldbrain/files"
	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// recording is where a job's recording lies.
func (c sweepRunCmd) recording(job string) string {
	return filepath.Join(c.Out, "recordings", job+".mcap")
}

// better puts results of an earlier run that stand in the folder into a tally that lacks
// them, because the drives were interrupted or the server has lost them: no results take
// the place of more.
func (c sweepRunCmd) better(e *env, tally *sweep.Tally) error {
	if len(tally.Missing()) == 0 {
		return nil
	}
	path := filepath.Join(c.Out, "results.jsonl")
	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	n := 0
	if err == nil {
		n, err = tally.Restore(f)
		_ = f.Close() // it was read
	}
	if err != nil {
		return fmt.Errorf("--out: %s has an earlier run's results: %w", path, err)
	}
	if n > 0 {
		fmt.Fprintf(e.err, "fieldbrain: %d of the results in %s are an earlier run's and did not come from the server; they stay there\n", n, daemon.Printable(path))
	}
	return nil
}

// keep writes results, report and, unless the server that has them is gone, recordings
// into the folder. A recording that is there already stays if it is the server's.
func (c sweepRunCmd) keep(e *env, js queue.Stream, tally *sweep.Tally, gone bool) error {
	at := func(name string) string { return filepath.Join(c.Out, name) }
	theirs := tally.Results()
	if err := c.better(e, tally); err != nil {
		return err
	}
	err := errors.Join(whole(at("results.jsonl"), tally.Lines), whole(at("results.csv"), tally.CSV), whole(at("report.json"), tally.Report().JSON))
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if gone {
		return nil
	}
	ctx, restore := untilSignal() // another one than that which may have ended the drives
	defer restore()
	from := queue.Recordings{JS: js, Sweep: tally.Sweep()}
	for _, r := range theirs {
		if r.Recording == "" {
			continue
		}
		if err := os.MkdirAll(at("recordings"), 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		err := from.Fetch(ctx, r.Recording, c.recording(r.ID))
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: results are in %s, not yet all recordings; the same command fetches what is missing", c.Out)
		}
		if err != nil {
			return fmt.Errorf("recordings: %w; results are in %s, and the same command fetches what is missing", err, c.Out)
		}
	}
	return nil
}

// forget removes the recordings of earlier drives of a batch, and the lines that better
// would take: what the batch comes to now is another program's.
func (c sweepRunCmd) forget(batch *sweep.Batch) error {
	old := []string{filepath.Join(c.Out, "results.jsonl")}
	for i := range batch.Jobs {
		old = append(old, c.recording(batch.Jobs[i].ID))
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
