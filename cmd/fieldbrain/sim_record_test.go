package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestKeeper: an older recording stays as it was until the new one is whole, and where a
// write fails, as on a full disk; of a first one the part that was written stays.
func TestKeeper(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name, old           string
		write, fail, failed bool
		want                string
	}{
		{"refused", "old", false, false, true, "old"},
		{"whole", "old", true, false, false, "new"},
		{"cut", "old", true, true, false, "old"},
		{"of a drive that failed", "old", true, false, true, "old"},
		{"first", "", true, false, false, "new"},
		{"first of a drive that failed", "", true, false, true, "new"},
		{"first, cut", "", true, true, false, "new"},
	} {
		k := &keeper{path: filepath.Join(folder, c.name)}
		if c.old != "" {
			if err := os.WriteFile(k.path, []byte(c.old), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.write {
			if _, err := k.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(k.path); c.old != "" && string(text) != c.old {
			t.Errorf("%s: on the way it is %q, %v", c.name, text, err)
		}
		if c.fail {
			to := k.to
			k.to = full{}
			if _, err := k.Write([]byte("x")); err == nil {
				t.Errorf("%s: nobody tells that the disk is full", c.name)
			}
			k.to = to
		}
		if err := k.Close(c.failed); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if text, err := os.ReadFile(k.path); string(text) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, text, err, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
