package loop_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
)

// raiseRestEnv lets this test program raise its own threads, in a process of its own.
const raiseRestEnv = "FIELDBRAIN_TEST_RAISE_REST"

// limitBurstsEnv lets this test program compute for ever, in a process of its own.
const limitBurstsEnv = "FIELDBRAIN_TEST_LIMIT_BURSTS"

// TestLimitBursts: the kernel kills a process of which a thread in the real-time class
// computes for ever, and none that waits from time to time.
func TestLimitBursts(t *testing.T) {
	tier.Alone(t, "one thread of another process computes")
	tier.Native(t, "an emulator's threads are not the kernel's")
	const longest = 200 * time.Millisecond
	if kind := os.Getenv(limitBurstsEnv); kind != "" {
		runtime.LockOSThread()
		if c := loop.LimitBursts(longest); c != nil {
			t.Fatalf("%+v", *c)
		}
		if c := loop.Raise(2); c != nil {
			os.Exit(3)
		}
		//lint:ignore SA5002 it shall spin, with nothing in it that lets Go's runtime in
		for kind == "forever" {
		}
		clock := robot.NewMonotonic()
		for began := clock.Now(); clock.Now()-began < 3*longest; {
			clock.SleepUntil(clock.Now() + time.Millisecond)
		}
		return
	}
	for kind, want := range map[string]syscall.Signal{"forever": syscall.SIGKILL, "waits": 0} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestLimitBursts$")
		// A goroutine that the runtime preempts waits for its turn, which begins the
		// kernel's count anew. An engine's C is never preempted; nor is this loop.
		cmd.Env = append(os.Environ(), limitBurstsEnv+"="+kind, "GODEBUG=asyncpreemptoff=1")
		text, err := cmd.CombinedOutput()
		state, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case state.ExitStatus() == 3:
			t.Skip("this machine refuses SCHED_FIFO, and then nothing is limited")
		case ctx.Err() != nil:
			t.Errorf("%s: nothing has ended it", kind)
		case state.Signaled() != (want != 0) || want != 0 && state.Signal() != want:
			t.Errorf("%s: %v, want signal %d: %s", kind, err, want, text)
		}
	}
}

// levelEnv lets this test program collect on one processor, in a process of its own.
const levelEnv = "FIELDBRAIN_TEST_LEVEL"

// TestLevel: on one processor collections end although threads of a higher class come
// back from the kernel all the time, and those have their class again when they are
// over. Without Level the kernel kills this program within ten collections: a thread at
// FIFO 49 spins for a lock of Go's runtime whose holder, at RR 1, needs the processor.
func TestLevel(t *testing.T) {
	tier.Alone(t, "threads of another process own a processor")
	tier.Native(t, "an emulator's threads are not the kernel's")
	if os.Getenv(levelEnv) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLevel$", "-test.v")
		cmd.Env = append(os.Environ(), levelEnv+"=1", "GOGC=off")
		text, err := cmd.CombinedOutput()
		state, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if state.ExitStatus() == 3 {
			t.Skip("this machine refuses SCHED_FIFO")
		}
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
		return
	}
	onOneProcessor(t)
	loop.MakeRoom()
	if c := loop.LimitBursts(2 * time.Second); c != nil {
		t.Fatalf("%+v", *c)
	}
	const returning = 3
	for range returning {
		raised := make(chan *loop.Condition)
		go func() {
			runtime.LockOSThread()
			raised <- loop.Raise(50)
			sleepAtDepth(50) // the deeper the stack, the longer it is read
		}()
		if <-raised != nil {
			os.Exit(3)
		}
	}
	if c := loop.RaiseRest(1); c != nil {
		t.Fatalf("%+v", *c)
	}
	for range tier.Count(t, "collections", 20, 100, 300) {
		if c := loop.Level(1, func() {
			runtime.GC()
			if fifo, _, _ := classes(t); fifo != 0 {
				t.Errorf("%d threads stand above the others", fifo)
			}
		}); c != nil {
			t.Fatalf("%+v", *c)
		}
		if fifo, _, _ := classes(t); fifo != returning {
			t.Fatalf("%d threads have their class again, want %d", fifo, returning)
		}
	}
}

// onOneProcessor keeps the process on the first processor that it may use.
func onOneProcessor(t *testing.T) {
	var allowed, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	for cpu := 0; one.Count() == 0; cpu++ {
		if allowed.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	for _, tid := range append(otherThreads(t), 0) {
		if err := unix.SchedSetaffinity(tid, &one); err != nil && err != unix.ESRCH {
			t.Fatal(err)
		}
	}
}

// sleepAtDepth sleeps 0.1 ms again and again, that many calls down.
func sleepAtDepth(n int) {
	if n > 0 {
		sleepAtDepth(n - 1)
	}
	for {
		ts := unix.NsecToTimespec(100_000)
		_ = unix.Nanosleep(&ts, nil)
	}
}

// TestRaiseRest raises every thread but the loop's, and those that start later. A
// thread that was lowered starts ordinary ones.
func TestRaiseRest(t *testing.T) {
	if os.Getenv(raiseRestEnv) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRaiseRest$", "-test.v")
		cmd.Env = append(os.Environ(), raiseRestEnv+"=1")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
		if strings.Contains(string(text), "refuses") {
			t.Logf("%s", text)
		}
		return
	}
	held := make(chan struct{})
	raised := make(chan bool)
	go func() {
		runtime.LockOSThread()
		raised <- loop.Raise(50) == nil
		<-held
	}()
	if !<-raised {
		t.Log("this machine refuses SCHED_FIFO, only the report is checked")
		if c := loop.RaiseRest(1); c != nil {
			checkRefusal(t, c, "realtime-rest")
		}
		return
	}
	if c := loop.RaiseRest(1); c != nil {
		t.Fatalf("%+v", *c)
	}
	for range 20 { // threads of later goroutines
		go func() {
			runtime.LockOSThread()
			<-held
		}()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		loop.Lower()
		text, err := exec.Command("sh", "-c", "cut -d ' ' -f 41 /proc/$$/stat").Output() // policy, proc(5)
		if err == nil && strings.TrimSpace(string(text)) != "0" {
			t.Errorf("a child of a lowered thread has class %q", text)
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
	fifo, rr, ordinary := classes(t)
	if fifo > 1 || rr < 20 || ordinary > 1 { // the calling thread is left out; the lowered one may still end
		t.Errorf("%d threads at FIFO 50, %d at RR 1, %d otherwise; want the loop's, the rest, none", fifo, rr, ordinary)
	}
	close(held)
}

// classes counts the other threads at FIFO 50, at RR 1 and of any other class.
func classes(t *testing.T) (fifo, rr, ordinary int) {
	for _, tid := range otherThreads(t) {
		attr, err := unix.SchedGetAttr(tid, 0)
		switch {
		case err != nil:
		case attr.Policy == unix.SCHED_FIFO && attr.Priority == 50:
			fifo++
		case attr.Policy == unix.SCHED_RR && attr.Priority == 1:
			rr++
		default:
			ordinary++
		}
	}
	return fifo, rr, ordinary
}
