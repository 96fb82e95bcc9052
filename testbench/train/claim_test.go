package train_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"fieldbrain/testbench/train"
)

// TestOneWritesACheckpoint: of many that want a checkpoint's file one has it at a time;
// nothing of the others stays, and what a dead one left behind keeps nobody away.
func TestOneWritesACheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.training")
	if err := os.WriteFile(path+".lock", nil, 0o644); err != nil { // of one that was killed
		t.Fatal(err)
	}
	first, err := train.Take(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Take(path); !errors.Is(err, train.ErrBusy) {
		t.Errorf("a second training: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	var all sync.WaitGroup
	var inside, took atomic.Int32
	for range 8 {
		all.Go(func() {
			for range 200 {
				c, err := train.Take(path)
				if errors.Is(err, train.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				took.Add(1)
				if inside.Add(1) != 1 {
					t.Error("two have it")
				}
				inside.Add(-1)
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if took.Load() == 0 {
		t.Error("nobody had it")
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
