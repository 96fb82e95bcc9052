//go:build cuda

package worker

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
)

// TestRaise raises the thread of another process: it stays raised.
func TestRaise(t *testing.T) {
	out, err := again(t, "TestIsRaised")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, why, skipped := strings.Cut(out, "does not let"); skipped {
		t.Skip("this machine does not let" + why)
	}
}

// TestIsRaised: the worker's thread, and no other, is in real time, or the refusal
// says what to change.
func TestIsRaised(t *testing.T) {
	only(t)
	s := setup(field.Collapsed)
	s.Wait = gpu.WaitYield
	d := open(t, s)
	if err := d.worker.Raise(100); !errors.Is(err, unix.EINVAL) || d.worker.launcher.c.raised != 0 {
		t.Errorf("priority 100: %v, raised %d", err, d.worker.launcher.c.raised)
	}
	if err := d.worker.Raise(2); err != nil {
		if !errors.Is(err, unix.EPERM) || !strings.Contains(err.Error(), "LimitRTPRIO=2") || d.worker.launcher.c.raised != 0 {
			t.Errorf("%v, raised %d", err, d.worker.launcher.c.raised)
		}
		t.Skipf("this machine does not let a test into real time: %v", err)
	}
	a, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if a.Policy != unix.SCHED_FIFO || a.Priority != 2 || a.Flags&unix.SCHED_FLAG_RESET_ON_FORK == 0 || d.worker.launcher.c.raised != 1 {
		t.Errorf("%+v, raised %d", a, d.worker.launcher.c.raised)
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	raised := 0
	for _, task := range tasks {
		stat, err := os.ReadFile("/proc/self/task/" + task.Name() + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); f[38] == "1" { // field 41: the policy
			raised++
		}
	}
	if raised != 1 {
		t.Errorf("%d of %d threads are in real time, want 1", raised, len(tasks))
	}
	together(t, d, newJudge(t, &s), exercise.New(1).Next())
}

// TestNaps: a raised worker sleeps while it waits, else it would keep everybody
// else from the processor; an ordinary one only yields.
func TestNaps(t *testing.T) {
	soft(t) // a card answers before the first nap
	for _, raised := range []bool{false, true} {
		s := setup(field.Collapsed)
		s.Wait = gpu.WaitYield
		got, want, d := open(t, s), newJudge(t, &s), exercise.New(5)
		if raised {
			got.worker.launcher.raise() // as if: the loop is the same in every class
		}
		for range 5 {
			if _, err := got.Step(d.Next()); err != nil {
				t.Fatal(err)
			}
		}
		slept := got.worker.launcher.c.naps
		t.Logf("raised %v: slept %d times in 5 ticks", raised, slept)
		if raised && slept < 5 || !raised && slept > 0 {
			t.Errorf("raised %v: slept %d times in 5 ticks, each many naps long", raised, slept)
		}
		for d := exercise.New(5); ; {
			in := d.Next()
			if _, err := want.Step(in); err != nil {
				t.Fatal(err)
			}
			if in.Tick == 5 {
				break
			}
		}
		sameField(t, got, want)
	}
}
