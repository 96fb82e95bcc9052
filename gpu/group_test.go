package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/gpu"
)

// TestGroupDies: what a child has started ends with it, whether it fails, is asked
// for its card, or hangs and is killed.
func TestGroupDies(t *testing.T) {
	folder := t.TempDir()
	for _, how := range []string{"exit 1", "sleep 1000"} {
		script, left := filepath.Join(folder, "script"), filepath.Join(folder, "left")
		text := "#!/bin/sh\nsleep 1000 </dev/null >/dev/null 2>&1 &\necho $! >" + left + ".new\nmv " + left + ".new " + left + "\n" + how + "\n"
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { _, err := gpu.Probe(ctx, script); done <- err }()
		pid := grandchild(t, left)
		if how != "exit 1" {
			cancel()
		}
		if err := <-done; err == nil {
			t.Errorf("%s: the script has a card", how)
		}
		cancel()
		gone(t, pid, how)

		if err := os.Remove(left); err != nil {
			t.Fatal(err)
		}
		o := options(t, "")
		o.Path, o.StartLimit, o.Starts = script, time.Second, 1
		supervise(t, o)
		gone(t, grandchild(t, left), "supervised: "+how)
		_ = os.Remove(left)
	}
}

// grandchild waits for a script's word on what it has started.
func grandchild(t *testing.T, file string) int {
	t.Helper()
	for {
		text, err := os.ReadFile(file)
		if pid, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
			return pid
		}
		time.Sleep(time.Millisecond)
	}
}

// gone waits for the end of a process that is nobody's child any more.
func gone(t *testing.T, pid int, how string) {
	t.Helper()
	for range 3000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") { // without an init nobody reaps it
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = unix.Kill(pid, unix.SIGKILL)
	t.Errorf("%s: process %d, which the child had started, lives on", how, pid)
}
