package telemetry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoRoom: a file for which there is no room, as on a full disk, leaves nothing behind,
// and nobody is told that it was closed twice.
func TestNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.page")
	f, err := create(path, -1) // a size that no disk has
	w := &Writer{page: f}
	if closed := w.abandon(); err == nil || closed != nil || !strings.Contains(err.Error(), path) {
		t.Errorf("made: %v; given up: %v", err, closed)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
