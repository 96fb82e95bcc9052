package robot_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/robot"
	"fieldbrain/verdict"
)

// BenchmarkCede is what a process takes of a processor whose threads wait as the daemon's
// do (a loop of 5 ms, a bus owner of 1 ms, a sonar of 10 ms, 0.1 ms of work each time),
// where they cede over where they do not, in pairs of rounds of a second.
//
//	go test ./robot -run '^$' -bench Cede -benchtime 1x
func BenchmarkCede(b *testing.B) {
	before := runtime.GOMAXPROCS(runtime.NumCPU() + 6) // loop.MakeRoom
	defer runtime.GOMAXPROCS(before)
	for b.Loop() {
		var with, without []float64
		for range 10 {
			with = append(with, waiting(false))
			without = append(without, waiting(true))
		}
		ratio, err := verdict.Pairs(with, without)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(verdict.Median(with)*100, "%-ceding")
		b.ReportMetric(verdict.Median(without)*100, "%-not")
		b.Logf("a process that cedes takes %s times what one takes that does not", ratio.Short())
	}
}

// waiting runs the three threads for a second and returns the share of one processor that
// the process took.
func waiting(off bool) float64 {
	const length = time.Second
	c := robot.NewMonotonic()
	began, used := c.Now(), processorTime()
	var threads sync.WaitGroup
	for i, period := range []time.Duration{5 * time.Millisecond, time.Millisecond, 10 * time.Millisecond} {
		threads.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends
			turn, wait := robot.Ceder{Off: off}, c.SleepUntil
			if i == 0 {
				wait = c.WakeAt
			}
			for next := began + period; next < began+length; next += period {
				turn.Cede(c.Now(), next)
				wait(next)
				for end := c.Now() + 100*time.Microsecond; c.Now() < end; { // its work
				}
			}
		})
	}
	threads.Wait()
	return float64(processorTime()-used) / float64(c.Now()-began)
}

// processorTime is what the process has taken of the processors.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
