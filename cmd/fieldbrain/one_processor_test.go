package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fieldbrain/testbench/tier"
)

// TestOneProcessor drives with one processor for longer than a thread that spins for
// another of Go's may live: three of three such daemons were dead after ten seconds
// where the loop's and the driver's threads stood above the rest.
func TestOneProcessor(t *testing.T) {
	tier.Heavy(t, "15 s")
	tier.Alone(t, "its threads own a processor")
	tier.Native(t, "an emulator's threads are not the kernel's")
	tier.Compiled(t, "a field in pure Go takes longer than a period")
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", "--body", "sim", "--arm", "--seconds", "15", "--view", "off",
		"--socket", filepath.Join(shortFolder(t), "c.sock"))
	text := onOneProcessor(t, cmd.CombinedOutput)
	switch {
	case strings.Contains(text, `"condition":"realtime"`):
		t.Skip("this machine refuses SCHED_FIFO")
	case !strings.Contains(text, `"condition":"one-processor"`):
		t.Errorf("it does not say that it has one processor:\n%s", text)
	case strings.Contains(text, `"condition":"loop"`):
		t.Errorf("its loop has stood:\n%s", text)
	}
}

// onOneProcessor runs a program on the first processor that this one may use, and
// returns its output.
func onOneProcessor(t *testing.T, run func() ([]byte, error)) string {
	runtime.LockOSThread() // a child has the processors of the thread that starts it
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for cpu := 0; one.Count() == 0; cpu++ {
		if all.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(0, &all)
	text, err := run()
	if err != nil {
		t.Errorf("%v", err)
	}
	return string(text)
}
