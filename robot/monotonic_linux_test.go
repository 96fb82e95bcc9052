package robot_test

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
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
	for name, sleep := range sleeps(c) {
		for i := range 50 {
			want := c.Now() + time.Duration(i)*100*time.Microsecond // with and without the ordinary part of WakeAt
			sleep(want)
			if got := c.Now(); got < want {
				t.Fatalf("%s woke %v early", name, want-got)
			}
		}
		sleep(c.Now() - time.Second) // must return
	}
}

// sleeps returns both ways to wait.
func sleeps(c *robot.Monotonic) map[string]func(time.Duration) {
	return map[string]func(time.Duration){"SleepUntil": c.SleepUntil, "WakeAt": c.WakeAt}
}

// TestWakeAtYields: a thread that waits by WakeAt again and again keeps no
// goroutine from running, not even with one of Go's processors.
func TestWakeAtYields(t *testing.T) {
	tier.Alone(t, "the number of Go's processors is the process's")
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	c, turns := robot.NewMonotonic(), make(chan int)
	go func() {
		for i := range 20 {
			turns <- i
		}
		close(turns)
	}()
	slept, got := 0, 0
	for open := true; open && slept < 10000; slept++ {
		c.WakeAt(c.Now() + 2*time.Millisecond)
		select {
		case _, open = <-turns:
			got++
		default:
		}
	}
	if got != 21 {
		t.Errorf("%d of 20 turns in %d sleeps", got, slept)
	}
}

func TestMonotonicDoesNotAllocate(t *testing.T) {
	c := robot.NewMonotonic()
	for name, sleep := range sleeps(c) {
		if n := testing.AllocsPerRun(100, func() { sleep(c.Now() + time.Microsecond) }); n != 0 {
			t.Errorf("%v allocations per %s, want 0", n, name)
		}
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
