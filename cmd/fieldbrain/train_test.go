package main

import (
	"bytes"
	"io"
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

// TestTrainingSaysWhere: a training says at its start which family of worlds it learns in,
// also where nobody named one.
func TestTrainingSaysWhere(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "learns in the family room, P1, ",
		" --family=legs --profile=P0": "learns in the family legs, P0, ",
	} {
		var said bytes.Buffer
		e := &env{out: io.Discard, err: &said}
		path := filepath.Join(t.TempDir(), "a.policy")
		line := "train --hidden=2 --population=4 --worlds=1 --seconds=5 --generations=5 --out=" + path + args
		parsed, err := newParser(e).Parse(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := parsed.Run(); err != nil || strings.Count(said.String(), want) != 1 {
			t.Errorf("%s: %v, %q", line, err, said.String())
		}
	}
}
