package guard_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
)

// A guard that stood still and goes on still has its daemon: to ask it meanwhile is no
// mistake, and nothing of it stays.
func TestGuardGoesOn(t *testing.T) {
	r := newRig(t)
	w, _, _ := r.driving(robot.NewMonotonic())
	signal := func(s unix.Signal) {
		t.Helper()
		if err := r.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	renewed := func() error {
		signal(unix.SIGSTOP)
		r.until("the daemon knows", w.Lost)
		asked := make(chan error)
		go func() { asked <- w.Renew() }()
		time.Sleep(50 * time.Millisecond) // by then it mostly waits for the answer; nothing fails where not
		signal(unix.SIGCONT)
		return <-asked
	}
	err := renewed()
	for err != nil && strings.Contains(err.Error(), "does not answer") { // this machine stood still itself
		err = renewed()
	}
	if err != nil {
		t.Errorf("the guard that goes on: %v", err)
	}
	r.cmd.Process.Kill()
	r.until("the guard is gone", w.Lost)
	if err := w.Set(true); err == nil || !strings.Contains(err.Error(), "does not run") {
		t.Errorf("the line: %v", err)
	}
}

// Nothing of a guard of another header stays mapped: the daemon asks it every second.
func TestAnotherHeaderLeavesNothing(t *testing.T) {
	r := newRig(t)
	w := guard.New(r.socket, "orin-nano", robot.NewMonotonic())
	pages := func() int {
		text, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "memfd:fieldbrain-guard")
	}
	before := pages() // of other tests, whose wards keep theirs
	for range 3 {
		r.until("it is refused for the header", func() bool {
			err := w.Renew()
			return err != nil && strings.Contains(err.Error(), "--header orin-nano")
		})
	}
	if more := pages() - before; more != 0 {
		t.Errorf("%d pages stay mapped", more)
	}
}
