package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestSweepAfresh: what starts afresh keeps no recording of the drives before, which may
// be another program's, and touches nothing else.
func TestSweepAfresh(t *testing.T) {
	bench := benchSweepCmd{Pilot: "brain"}
	batch, err := bench.batch(2, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := sweepRunCmd{Out: t.TempDir()}
	if err := c.forget(batch); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	old, other := c.recording(batch.Jobs[1].ID), c.recording("another")
	if err := os.Mkdir(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{old, other} {
		if err := os.WriteFile(path, []byte("drive"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.forget(batch); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the recording of an earlier drive: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("another file: %v", err)
	}
}
