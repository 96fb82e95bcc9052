package loop

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// RaiseRest puts every thread of the process that is still in the ordinary class
// into SCHED_RR at the given priority, and so every thread that one of them starts
// later: the runtime's own, on which the loop depends wherever it meets one of the
// runtime's locks or hand-offs, and which a load would starve. Round robin: among
// themselves none may keep the others of its processor waiting for longer than a
// slice, 100 ms unless somebody changed it (/proc/sys/kernel/sched_rr_timeslice_ms).
// It returns nil, or why the kernel refused.
func RaiseRest(priority int) *Condition {
	for {
		raised, err := raiseRest(priority)
		if err != nil {
			return &Condition{
				Name: "realtime-rest", Value: "the runtime's threads are in the ordinary class: a busy machine delays ticks through them",
				Cause:  err.Error(),
				Remedy: "as for the condition realtime: LimitRTPRIO of the unit, or a real-time budget for its control group",
			}
		}
		if raised == 0 { // nobody was started meanwhile by one that was ordinary
			return nil
		}
	}
}

// raiseRest looks at every thread once.
func raiseRest(priority int) (raised int, err error) {
	return raised, eachThread(func(tid int, now *unix.SchedAttr) error {
		if now.Policy != unix.SCHED_NORMAL {
			return nil
		}
		raised++
		return schedule(tid, unix.SchedAttr{Policy: unix.SCHED_RR, Priority: uint32(priority)})
	})
}

// Level runs f while no thread of the process stands above its others: those in
// SCHED_FIFO go to round robin at the given priority, that of the rest (RaiseRest; 0 is
// the ordinary class), and back when f has returned. It is for what Go's runtime does under locks that it waits
// for by spinning: a thread that comes back from the kernel while the collector reads
// its goroutine's stack spins until that is done, and one of a higher class spins for
// ever where the collector's own thread needs its processor (casgstatus in
// runtime/proc.go). Threads that raise themselves meanwhile stay raised. It returns nil,
// or why the kernel refused, after f in any case.
func Level(priority int, f func()) *Condition {
	above, level := map[int]unix.SchedAttr{}, unix.SchedAttr{Policy: unix.SCHED_RR, Priority: uint32(priority)}
	if priority == 0 {
		level.Policy = unix.SCHED_NORMAL
	}
	err := eachThread(func(tid int, now *unix.SchedAttr) error {
		if now.Policy != unix.SCHED_FIFO {
			return nil
		}
		above[tid] = *now
		level.Flags = now.Flags
		return schedule(tid, level)
	})
	f()
	for tid, attr := range above {
		err = errors.Join(err, schedule(tid, attr))
	}
	if err == nil {
		return nil
	}
	return &Condition{
		Name: "realtime", Value: "a thread is not in the class it should be in", Cause: err.Error(),
		Remedy: "start the daemon anew; look at LimitRTPRIO of the unit",
	}
}

// eachThread calls f with every thread of the process that lives, until it fails.
func eachThread(f func(tid int, now *unix.SchedAttr) error) error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("the list of threads cannot be read: %w", err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		now, err := unix.SchedGetAttr(tid, 0)
		if err == unix.ESRCH {
			continue
		}
		if err != nil {
			return fmt.Errorf("the class of thread %d cannot be read: %w", tid, err)
		}
		if err := f(tid, now); err != nil {
			return err
		}
	}
	return nil
}

// schedule puts a thread into a class, if it still lives.
func schedule(tid int, attr unix.SchedAttr) error {
	attr.Size = unix.SizeofSchedAttr
	if err := unix.SchedSetAttr(tid, &attr, 0); err != nil && err != unix.ESRCH {
		return fmt.Errorf("thread %d stays in its class: %w", tid, err)
	}
	return nil
}

// Lower puts the calling thread back into the ordinary class, and every thread or
// process that it starts.
func Lower() {
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0) // always allowed
}
