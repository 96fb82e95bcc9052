package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fieldbrain/cmd/fieldbrain/sweepworkers"
	"fieldbrain/testbench/tier"
)

// killChild kills the child of this process that runs a program.
func killChild(t *testing.T, program string) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 {
		t.Skipf("SKIPPED: the kernel lists no children of a process: %v", err)
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // a thread that has ended
		}
		for _, word := range strings.Fields(string(text)) {
			if at, err := os.Readlink("/proc/" + word + "/exe"); err != nil || at != program {
				continue
			}
			pid, err := strconv.Atoi(word)
			if err == nil {
				err = syscall.Kill(pid, syscall.SIGKILL)
			}
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no child runs %s", program)
}

// TestCostWithoutServer: a server that dies while a worker's cost is timed ends the
// measurement, with its words; it was never noticed.
func TestCostWithoutServer(t *testing.T) {
	tier.Heavy(t, "a server is built and killed")
	tier.Native(t, "the server is a process of this machine")
	tier.Alone(t, "the server is a process of its own")
	tier.Compiled(t, "a field in pure Go drives many times slower")
	program := buildNATS(t)
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	bench := benchSweepCmd{Pilot: "brain", Block: 2, Length: 0.5}
	bench.Rounds = 3
	timed := 0
	report, err := bench.cost(func(done, _ int) {
		if timed = done; done == 1 {
			killChild(t, program)
		}
	})
	if report != nil || !errors.Is(err, sweepworkers.ErrServer) || !strings.Contains(err.Error(), "run it again") || timed != 1 {
		t.Errorf("%d rounds timed: %+v, %v", timed, report, err)
	}
}
