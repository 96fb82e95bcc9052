package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// recording is where a job's recording lies.
func (c sweepRunCmd) recording(job string) string {
	return filepath.Join(c.Out, "recordings", job+".mcap")
}

// keep writes results, report and, unless the server that has them is gone, recordings
// into the folder. A recording that is there already stays if it is the server's.
func (c sweepRunCmd) keep(js queue.Stream, batch *sweep.Batch, tally *sweep.Tally, gone bool) error {
	at := func(name string) string { return filepath.Join(c.Out, name) }
	err := errors.Join(whole(at("results.jsonl"), tally.Lines), whole(at("results.csv"), tally.CSV), whole(at("report.json"), tally.Report().JSON))
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if gone {
		return nil
	}
	ctx, restore := untilSignal() // another one than that which may have ended the drives
	defer restore()
	from := queue.Recordings{JS: js, Sweep: batch.ID}
	for _, r := range tally.Results() {
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

// forget removes the recordings of earlier drives of a batch: what the batch comes to now
// is another program's.
func (c sweepRunCmd) forget(batch *sweep.Batch) error {
	for i := range batch.Jobs {
		if err := os.Remove(c.recording(batch.Jobs[i].ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
