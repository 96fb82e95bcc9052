package files_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"fieldbrain/files"
)

// TestReadKernel: a file is read whole, from a disk, from the kernel and from memory; one
// that has nothing to tell at present is an error and nobody waits for it. A named pipe
// that somebody holds open reads as a sensor of a part that is off does: EAGAIN, and it
// is never ready.
func TestReadKernel(t *testing.T) {
	folder := t.TempDir()
	long := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	pipe := filepath.Join(folder, "temp")
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "long"), long, 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	holder, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if got, err := files.ReadKernel(os.DirFS(folder), "long"); err != nil || !bytes.Equal(got, long) {
		t.Errorf("a long file: %d bytes, %v", len(got), err)
	}
	if got, err := files.ReadKernel(os.DirFS("/proc"), "self/maps"); err != nil || len(got) < 1000 {
		t.Errorf("the kernel's file: %d bytes, %v", len(got), err)
	}
	if got, err := files.ReadKernel(fstest.MapFS{"x": {Data: []byte("7\n")}}, "x"); err != nil || string(got) != "7\n" {
		t.Errorf("a file in memory: %q, %v", got, err)
	}
	if _, err := files.ReadKernel(os.DirFS(folder), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := files.ReadKernel(os.DirFS(folder), "temp")
		read <- err
	}()
	select {
	case err := <-read:
		if !errors.Is(err, syscall.EAGAIN) {
			t.Errorf("a sensor that tells nothing: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for a sensor that tells nothing")
	}
}
