package gpu_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/gpu"
)

// ended starts a supervisor with a serving child, does something to that, ends the
// supervisor and returns what it says and the child's number.
func ended(t *testing.T, do func(pid int)) (pid int, err error) {
	t.Helper()
	s, err := gpu.NewSupervisor(options(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	e, err := s.Await(ctx)
	if err != nil {
		t.Fatal(err)
	}
	pid = s.State().PID
	do(pid)
	cancel()
	err = <-done
	return pid, errors.Join(err, e.Close())
}

// A child that stands still, deaf to every signal that a process may refuse, is killed
// and reaped all the same.
func TestStoppedChildIsReaped(t *testing.T) {
	pid, err := ended(t, func(pid int) {
		if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil || alive(pid) {
		t.Errorf("child %d lives: %v, %v", pid, alive(pid), err)
	}
}

// The kernel can hold a process so that no signal ends it, as a driver does that
// waits for its card. The daemon's end does not wait for that: the supervisor says so
// and is over while the child is still there.
func TestStuckChildDelaysNoEnd(t *testing.T) {
	hold, release := freezer(t)
	pid, err := ended(t, hold)
	if err == nil || !strings.Contains(err.Error(), "does not die: the driver holds it") {
		t.Errorf("the supervisor says %v", err)
	}
	if !alive(pid) {
		t.Error("the child has ended: nothing held it, and this test has shown nothing")
	}
	release()
	for end := time.Now().Add(long); alive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("child %d is still there", pid)
		}
	}
}

// freezer returns a function that makes a process deaf even to SIGKILL, and one that
// takes it back: the freezer of control groups of version 1, as Linux has it still
// (Documentation/admin-guide/cgroup-v1/freezer-subsystem.rst).
func freezer(t *testing.T) (hold func(pid int), release func()) {
	t.Helper()
	folder := filepath.Join("/sys/fs/cgroup/freezer", "fieldbrain-test-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Skipf("no freezer of version 1 that this user may use, so nothing here is deaf to SIGKILL: %v", err)
	}
	write := func(file, word string) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(word), 0); err != nil {
			t.Fatal(err)
		}
	}
	release = func() { write("freezer.state", "THAWED") }
	t.Cleanup(func() {
		release()
		for end := time.Now().Add(long); os.Remove(folder) != nil; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s stays", folder)
			}
		}
	})
	return func(pid int) {
		write("cgroup.procs", strconv.Itoa(pid))
		write("freezer.state", "FROZEN")
		for end := time.Now().Add(long); ; time.Sleep(time.Millisecond) {
			if text, err := os.ReadFile(filepath.Join(folder, "freezer.state")); err == nil && strings.TrimSpace(string(text)) == "FROZEN" {
				return
			}
			if time.Now().After(end) {
				t.Fatal("the child does not freeze")
			}
		}
	}, release
}
