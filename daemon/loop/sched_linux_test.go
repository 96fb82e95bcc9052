package loop_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
)

// onThread runs f on a thread of its own that ends with it, so that f changes no
// other thread.
func onThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		f()
	}()
	<-done
}

// dropCapabilities takes from the calling thread what root may do.
func dropCapabilities(t *testing.T) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		t.Errorf("capset: %v", err)
	}
}

func TestRaiseTouchesTheCallingThreadOnly(t *testing.T) {
	onThread(func() {
		// The main thread may be the one lent here, and it is parked, not ended.
		defer unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0)
		if c := loop.Raise(50); c != nil {
			t.Logf("this machine refuses SCHED_FIFO, only the report is checked: %+v", *c)
			checkRefusal(t, c, "realtime")
			return
		}
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Error(err)
			return
		}
		if attr.Policy != unix.SCHED_FIFO || attr.Priority != 50 || attr.Flags&unix.SCHED_FLAG_RESET_ON_FORK == 0 {
			t.Errorf("class %d priority %d flags %#x, want FIFO 50 with reset on fork", attr.Policy, attr.Priority, attr.Flags)
		}
		for _, tid := range otherThreads(t) {
			other, err := unix.SchedGetAttr(tid, 0)
			if err == nil && other.Policy == unix.SCHED_FIFO {
				t.Errorf("thread %d was raised too", tid)
			}
		}
	})
}

func TestRefusalsNameCauseAndRemedy(t *testing.T) {
	t.Run("realtime without a limit", func(t *testing.T) {
		onThread(func() {
			var limit unix.Rlimit
			if err := unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit); err != nil || limit.Cur >= 50 {
				t.Logf("RLIMIT_RTPRIO is %d (%v): the kernel would not refuse here", limit.Cur, err)
				return
			}
			dropCapabilities(t)
			c := loop.Raise(50)
			checkRefusal(t, c, "realtime")
			if c != nil && !strings.Contains(c.Cause, "RLIMIT_RTPRIO") {
				t.Errorf("cause %q does not name RLIMIT_RTPRIO", c.Cause)
			}
			below := loop.RaiseBelow(49, 50)
			checkRefusal(t, below, "realtime")
			if c != nil && below != nil && *below != *c {
				t.Errorf("%+v of the thread below: its limit would refuse the loop, which says %+v", *below, *c)
			}
		})
	})
	t.Run("priority out of range", func(t *testing.T) {
		onThread(func() { checkRefusal(t, loop.Raise(200), "realtime") })
	})
	t.Run("processor that does not exist", func(t *testing.T) {
		onThread(func() { checkRefusal(t, loop.Pin(1000), "pinning") })
		if loop.MayUse(1000) || loop.MayUse(-1) || loop.MayUse(1<<20) {
			t.Error("it may be used all the same")
		}
	})
	t.Run("memory with a finite limit", func(t *testing.T) {
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil || limit.Cur == unix.RLIM_INFINITY {
			t.Skipf("RLIMIT_MEMLOCK is unlimited here (%v), nothing refuses the lock", err)
		}
		onThread(func() {
			dropCapabilities(t)
			c := loop.LockMemory()
			checkRefusal(t, c, "memory")
			if c != nil && !strings.Contains(c.Cause, "RLIMIT_MEMLOCK") {
				t.Errorf("cause %q does not name RLIMIT_MEMLOCK", c.Cause)
			}
		})
	})
}

func TestPinMovesTheOthersAway(t *testing.T) {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	if before.Count() < 2 {
		t.Skipf("%d processor allowed, pinning needs two", before.Count())
	}
	cpu := 0
	for !before.IsSet(cpu) {
		cpu++
	}
	t.Cleanup(func() { restoreAffinity(t, &before) })
	if !loop.MayUse(cpu) {
		t.Errorf("processor %d may not be used", cpu)
	}
	onThread(func() {
		if c := loop.Pin(cpu); c != nil {
			t.Errorf("refused: %+v", *c)
			return
		}
		var own unix.CPUSet
		if err := unix.SchedGetaffinity(0, &own); err != nil || own.Count() != 1 || !own.IsSet(cpu) {
			t.Errorf("own set has %d processors (%v), want only %d", own.Count(), err, cpu)
		}
		for _, tid := range otherThreads(t) {
			var other unix.CPUSet
			if err := unix.SchedGetaffinity(tid, &other); err == nil && other.IsSet(cpu) && other.Count() == 1 {
				t.Errorf("thread %d is confined to processor %d too", tid, cpu)
			}
		}
	})
}

// restoreAffinity undoes what Pin did to the process.
func restoreAffinity(t *testing.T, set *unix.CPUSet) {
	for _, tid := range append(otherThreads(t), 0) {
		if err := unix.SchedSetaffinity(tid, set); err != nil && err != unix.ESRCH {
			t.Errorf("thread %d: %v", tid, err)
		}
	}
}

// otherThreads lists the threads of the process except the calling one.
func otherThreads(t *testing.T) []int {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Error(err)
		return nil
	}
	var tids []int
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err == nil && tid != unix.Gettid() {
			tids = append(tids, tid)
		}
	}
	return tids
}

func checkRefusal(t *testing.T, c *loop.Condition, name string) {
	t.Helper()
	if c == nil {
		t.Errorf("%s was granted, want a refusal", name)
		return
	}
	if c.Name != name || c.Value == "" || c.Cause == "" || c.Remedy == "" {
		t.Errorf("refusal %+v lacks a part", *c)
	}
}

// TestNeverTheFirstThread: a dead first thread looks alive while another hangs in the
// kernel, so that the guard would wait for the silence.
func TestNeverTheFirstThread(t *testing.T) {
	const many = 64 // as many as it takes that one of them would be on it
	clock := robot.NewMonotonic()
	var ready, all sync.WaitGroup
	ready.Add(many)
	for range many {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			once := false
			l, err := loop.New(clock, plain(1), loop.Hooks{Tick: func(time.Duration) {
				if unix.Gettid() == unix.Getpid() {
					t.Error("the loop runs on the process's first thread")
				}
				if !once {
					once = true
					ready.Done()
					ready.Wait() // so that each needs a thread of its own
				}
				cancel()
			}})
			if err == nil {
				err = l.Run(ctx)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
