package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestFullDisk: whatever a disk has no room for is told with what to do, once.
func TestFullDisk(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "p.png", Err: syscall.ENOSPC}
	const general = ": make room there, or name another place, and give the command again\n"
	for _, c := range []struct {
		err  error
		says string
	}{
		{fmt.Errorf("--picture: %w", full), "fieldbrain: --picture: write p.png: no space left on device" + general},
		{syscall.EDQUOT, "fieldbrain: disk quota exceeded" + general},
		{unkept(full, true), "fieldbrain: train: write p.png: no space left on device: the generations kept before stay; make room and give the same command again, which goes on from there\n"},
		{unkept(syscall.EIO, true), "fieldbrain: train: input/output error: the generations kept before stay, and the same command goes on from there\n"},
		{unkept(syscall.EIO, false), "fieldbrain: train: input/output error\n"},
		{errors.New("another"), "fieldbrain: another\n"},
	} {
		var said bytes.Buffer
		if code := report(&env{err: &said}, c.err); code != exitFailed || said.String() != c.says {
			t.Errorf("%d, %q, want %q", code, said.String(), c.says)
		}
	}
	if unkept(nil, true) != nil {
		t.Error("nothing went wrong")
	}
}

// TestNewInSealedFolder: a folder that takes no files is named with the remedy.
func TestNewInSealedFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip(tier.Mark + "not as root, who may write everywhere: a folder that takes no files")
	}
	folder := filepath.Join(t.TempDir(), "sealed")
	if err := os.Mkdir(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	err := scenarioNewCmd{File: filepath.Join(folder, "x.toml")}.Run(&env{out: &said, err: &said})
	if err == nil || !strings.Contains(err.Error(), "takes no files of this user's: name another folder") {
		t.Error(err)
	}
}
