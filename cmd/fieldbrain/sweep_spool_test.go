package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/sweep"
)

// TestSpoolRefused: a job that shall be recorded is driven where this machine takes no file,
// with the bits of one that is recorded, and says what is missing and what to do.
func TestSpoolRefused(t *testing.T) {
	text := "scenarios = [\"room\"]\npilots = [\"brain\"]\nseconds = 0.2\nrecord = true\n[seeds]\nfirst = 1\ncount = 1\n"
	file, err := sweep.Parse("spools", []byte(text), drive.Known)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := file.Batch(func(engine string, s []sweep.Setting) ([]byte, error) { return configure(config.Default(), engine, s) })
	if err != nil {
		t.Fatal(err)
	}
	input := func(name string) ([]byte, error) { return batch.Inputs[name], nil }
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	kept, err := newRider().drive(&batch.Jobs[0], input)
	if err != nil || kept.Unrecorded != nil || filepath.Dir(filepath.Dir(kept.Recording)) != folder {
		t.Fatalf("with room: %v, %+v", err, kept)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "gone"))
	lost, err := newRider().drive(&batch.Jobs[0], input)
	if err != nil || lost.Recording != "" || !errors.Is(lost.Unrecorded, fs.ErrNotExist) {
		t.Fatalf("without room: %v, %+v", err, lost)
	}
	if lost.Drive.FieldHash != kept.Drive.FieldHash || lost.Drive.Trajectory != kept.Drive.Trajectory {
		t.Error("the drive without a recording is another one")
	}
	for _, word := range []string{filepath.Join(folder, "gone"), room, "TMPDIR"} {
		if !strings.Contains(lost.Unrecorded.Error(), word) {
			t.Errorf("nothing of %q in: %v", word, lost.Unrecorded)
		}
	}
}

// TestSpool: what the disk refuses on the way is told at the end, and no half file stays, nor
// one of a drive that failed.
func TestSpool(t *testing.T) {
	for _, c := range []struct {
		name          string
		shut, good    bool
		path, refused bool
	}{
		{"kept", false, true, true, false}, {"of a drive that failed", false, false, false, false}, {"refused", true, true, false, true},
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "film"))
		if err != nil {
			t.Fatal(err)
		}
		f := spool{file: file}
		for range 2 {
			if n, err := f.Write([]byte("tick")); n != 4 || err != nil {
				t.Errorf("%s: %d, %v", c.name, n, err)
			}
			if c.shut { // as a disk that fills on the way: no write succeeds any more
				_ = file.Close()
			}
		}
		path, refused := f.end(c.good)
		if (path != "") != c.path || (refused != nil) != c.refused {
			t.Errorf("%s: %q, %v", c.name, path, refused)
		}
		if _, err := os.Stat(file.Name()); (err == nil) != c.path {
			t.Errorf("%s: the file: %v", c.name, err)
		}
	}
}
