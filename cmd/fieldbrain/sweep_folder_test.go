package main

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSpoolFolder: a worker takes away what a killed one left, and nothing of one that works;
// it makes its folder anew where somebody has cleared it, and leaves none.
func TestSpoolFolder(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	count := func() int {
		list, err := filepath.Glob(filepath.Join(folder, "*", "*.mcap"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	create := func(s *spoolFolder) {
		t.Helper()
		f, err := s.create()
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	var killed, works, next spoolFolder
	create(&killed)
	create(&works)
	create(&works)
	if err := unix.Close(killed.lock); err != nil { // as the kernel does with what has ended
		t.Fatal(err)
	}
	create(&next)
	if n := count(); n != 3 {
		t.Errorf("%d files, want two of a worker that works and the next one's", n)
	}
	if err := os.RemoveAll(next.path); err != nil {
		t.Fatal(err)
	}
	create(&next)
	if n := count(); n != 3 {
		t.Errorf("%d files after one folder was cleared", n)
	}
	works.close()
	next.close()
	if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}
