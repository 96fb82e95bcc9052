package robot

import (
	"time"

	"golang.org/x/sys/unix"
)

// Asleep returns how long the machine has been suspended since it started. A
// Monotonic clock does not count that time, so nothing that is measured with
// it, no age, lease or pause, can see a suspend; a difference between two calls
// can. It takes two system calls, under a microsecond, and does not allocate.
func Asleep() time.Duration {
	var counted, all unix.Timespec
	// The calls cannot fail: every Linux since 2.6.39 has both clocks.
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &counted)
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &all)
	return time.Duration(all.Nano() - counted.Nano())
}
