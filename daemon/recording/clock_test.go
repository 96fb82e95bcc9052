package recording_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// TestClockInThePast: a machine whose clock starts before the drives that it has recorded
// takes those away for the quota, and not what it has just recorded.
func TestClockInThePast(t *testing.T) {
	tier.Alone(t, "one goroutine drains what it put")
	folder := t.TempDir()
	later := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range 4 {
		path := filepath.Join(folder, fmt.Sprintf("drive-20300102T0304%02d.000Z.mcap", i))
		if err := errors.Join(os.WriteFile(path, make([]byte, 120<<10), 0o600), os.Chtimes(path, later, later)); err != nil {
			t.Fatal(err)
		}
	}
	r, tick := opening(t, folder, recording.Limits{Quota: 512 << 10, Segment: 64 << 10}), mind(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first := ""
	for n := 0; r.Status().Files < 3; n++ {
		if n == 10000 {
			t.Fatalf("no third file: %+v", r.Status())
		}
		b, trace := tick()
		r.Put(b, trace)
		now = now.Add(5 * time.Millisecond)
		r.Drain(now)
		if first == "" {
			first = r.Status().File
		}
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); err != nil {
		t.Errorf("the first file of this drive has gone: %v", err)
	}
	if s := r.Status(); s.Removed == 0 {
		t.Errorf("nothing was removed: %+v", s)
	}
}
