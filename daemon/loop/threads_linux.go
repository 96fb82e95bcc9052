package loop

import (
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
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0, fmt.Errorf("the list of threads cannot be read: %w", err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		now, err := unix.SchedGetAttr(tid, 0)
		if err == unix.ESRCH || err == nil && now.Policy != unix.SCHED_NORMAL {
			continue
		}
		attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: uint32(priority)}
		if err := unix.SchedSetAttr(tid, &attr, 0); err != nil && err != unix.ESRCH {
			return raised, fmt.Errorf("thread %d cannot be raised: %w", tid, err)
		}
		raised++
	}
	return raised, nil
}

// Lower puts the calling thread back into the ordinary class, and every thread or
// process that it starts.
func Lower() {
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0) // always allowed
}
