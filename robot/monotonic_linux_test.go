package robot_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/robot"
)

// The driver compares kernel stamps with this clock, so both must tell the
// same time: between two kernel readings lies every reading taken in between.
func TestMonotonicIsTheKernelsClock(t *testing.T) {
	c := robot.NewMonotonic()
	const slack = time.Millisecond // the offset's error is far below it
	for range 100 {
		before := kernelNow(t)
		got := c.Now()
		after := kernelNow(t)
		if got < before-slack || got > after+slack {
			t.Fatalf("Now() = %v, want within %v .. %v", got, before, after)
		}
	}
}

func TestMonotonicNeverWakesEarly(t *testing.T) {
	c := robot.NewMonotonic()
	for range 50 {
		want := c.Now() + 300*time.Microsecond
		c.SleepUntil(want)
		if got := c.Now(); got < want {
			t.Fatalf("woke %v early", want-got)
		}
	}
	past := c.Now() - time.Second
	c.SleepUntil(past) // must return
}

func TestMonotonicDoesNotAllocate(t *testing.T) {
	c := robot.NewMonotonic()
	n := testing.AllocsPerRun(100, func() { c.SleepUntil(c.Now() + time.Microsecond) })
	if n != 0 {
		t.Errorf("%v allocations per sleep, want 0", n)
	}
}

func kernelNow(t *testing.T) time.Duration {
	t.Helper()
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		t.Fatal(err)
	}
	return time.Duration(ts.Nano())
}
