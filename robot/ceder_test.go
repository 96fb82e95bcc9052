package robot_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
)

// cedes reports whether Cede lets a goroutine run that waits for the only one of Go's
// processors, which the caller's thread has.
func cedes(c *robot.Ceder, now, until time.Duration) bool {
	var ran atomic.Bool
	go ran.Store(true)
	if c.Cede(now, until); ran.Load() {
		return true
	}
	for !ran.Load() { // so that the next one finds no stranger
		runtime.Gosched()
	}
	return false
}

// TestCede: a locked thread passes the scheduler where the last time is long ago and it
// has time for it.
func TestCede(t *testing.T) {
	tier.Alone(t, "the number of Go's processors is the process's")
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const ms = time.Millisecond
	for _, c := range []struct {
		name     string
		ceder    robot.Ceder
		at, room time.Duration
		want     bool
	}{
		{"long ago, and time", robot.Ceder{}, 5 * ms, 3 * ms, true},
		{"long ago, and no time", robot.Ceder{}, 5 * ms, ms / 4, false},
		{"long ago, and late", robot.Ceder{}, 5 * ms, -ms, false},
		{"just now", robot.Ceder{}, 2 * ms, 3 * ms, false},
		{"off", robot.Ceder{Off: true}, 5 * ms, 3 * ms, false},
	} {
		const start = time.Hour
		got := 0
		for range 20 { // the scheduler may take the caller first, and sysmon interrupt it
			ceder := c.ceder
			ceder.Cede(start, start+time.Second)
			if cedes(&ceder, start+c.at, start+c.at+c.room) {
				got++
			}
		}
		if most := got > 10; most != c.want {
			t.Errorf("%s: ceded %d times of 20, want %v", c.name, got, c.want)
		}
	}
}

func TestCedeDoesNotAllocate(t *testing.T) {
	var c robot.Ceder
	now := time.Hour
	if n := testing.AllocsPerRun(100, func() { now += 5 * time.Millisecond; c.Cede(now, now+time.Second) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
