package daemon

import (
	"time"

	"golang.org/x/sys/unix"
)

// A Share says how much of one processor a process takes, all its threads together, 1
// where it takes all of one. It belongs to one goroutine.
type Share struct {
	pid  int
	at   time.Time
	used time.Duration
}

// Read returns the share that the process of a number, 0 for this one, took since the
// Read before. It is not OK at the first Read, after a change of the number, for a
// process that has ended, and for none: a number below 0.
func (s *Share) Read(pid int, now time.Time) Reading {
	used, ok := processorTime(pid)
	spent, past := used-s.used, now.Sub(s.at)
	first := s.at.IsZero() || s.pid != pid
	if s.pid, s.at, s.used = pid, now, used; !ok {
		s.at = time.Time{}
	}
	if !ok || first || past <= 0 || spent < 0 {
		return Reading{}
	}
	return Reading{float64(spent) / float64(past), true}
}

// processorTime returns the processor time of a process since its start. The number of
// another process's clock is that of clock_getcpuclockid(3): the kernel's
// include/linux/posix-timers_types.h, CPUCLOCK_SCHED.
func processorTime(pid int) (time.Duration, bool) {
	const scheduled = 2
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != 0 {
		clock = ^int32(pid)<<3 | scheduled
	}
	var t unix.Timespec
	if pid < 0 || unix.ClockGettime(clock, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
