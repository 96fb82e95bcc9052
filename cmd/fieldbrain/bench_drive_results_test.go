package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/trials"
)

// TestResultsAlone: two programs never write the same file of results, and the second is
// told which and what to do; when the first is done, the file is whole and another may.
func TestResultsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	own := trials.Program{Sum: "toy"}
	_, end, err := openResults(path, own, trials.Resume)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = openResults(path, own, trials.Resume)
	if !errors.Is(err, errShared) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second program opens the file: %v; want %v, and the file's name", err, errShared)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) || len(after) == 0 {
		t.Errorf("the file was %q and is %q, %v", before, after, err)
	}
	end()
	_, end, err = openResults(path, own, trials.Resume)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	end()
}
