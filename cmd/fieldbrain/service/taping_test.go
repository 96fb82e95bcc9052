package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/recording"
)

// TestTapedAside: where record.path names a file that an earlier run has left, the answer to
// record start says under which name the recording goes.
func TestTapedAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tape.mcap")
	begun := func() string {
		shelf, err := recording.NewShelf(path, recording.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		return taped(shelf, path)
	}
	if got, want := begun(), "every tick is recorded below "+path; got != want {
		t.Errorf("a free name: %q, want %q", got, want)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := begun(); !strings.Contains(got, "tape-2") || !strings.Contains(got, "Z.mcap: "+path+" has the recording of an earlier run") {
		t.Errorf("a name that is taken: %q", got)
	}
}
