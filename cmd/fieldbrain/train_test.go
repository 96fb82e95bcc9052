package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/train"
)

// TestOneTraining: a second training of one file is refused before it reads or writes
// anything.
func TestOneTraining(t *testing.T) {
	folder := t.TempDir()
	claim, err := train.Take(filepath.Join(folder, "a.training"))
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	e := &env{out: &said, err: &said}
	parsed, err := newParser(e).Parse([]string{"train", "--out", filepath.Join(folder, "a.policy"), "--afresh"})
	if err != nil {
		t.Fatal(err)
	}
	if code := report(e, parsed.Run()); code != exitUsage || !strings.Contains(said.String(), "a.training: another training writes it: wait for its end, or name another file") {
		t.Errorf("%d, %s", code, said.String())
	}
	if err := claim.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
