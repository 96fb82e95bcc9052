package robot

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Monotonic is the kernel's monotonic clock as a Clock. Its epoch is that of
// CLOCK_MONOTONIC (the machine's start, time asleep not counted), so the
// kernel's stamps of GPIO edges are instants of this clock without conversion.
// It may be used by any number of goroutines.
type Monotonic struct {
	base   time.Time     // an instant in Go's own reading of the same clock
	offset time.Duration // what CLOCK_MONOTONIC said at base
}

// NewMonotonic returns the kernel's clock. Go reads CLOCK_MONOTONIC without a
// system call but keeps its own origin; the difference is constant and is
// measured here once, to within the few hundred nanoseconds of one call.
func NewMonotonic() *Monotonic {
	var best Monotonic
	narrowest := time.Duration(1<<63 - 1)
	for range 8 {
		before := time.Now()
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			panic("robot: no CLOCK_MONOTONIC") // the kernel ABI promises it
		}
		width := time.Since(before)
		if width < narrowest {
			narrowest = width
			best = Monotonic{base: before, offset: time.Duration(ts.Nano()) - width/2}
		}
	}
	return &best
}

// Now returns the time since the kernel's epoch, without a system call.
func (m *Monotonic) Now() time.Duration { return m.offset + time.Since(m.base) }

// SleepUntil blocks the calling thread until t, or returns at once when t has
// passed. It sleeps to an absolute instant, so a sleep cut short by a signal
// (the runtime preempts with one) is simply repeated and ends no later. The
// system call is entered in the ordinary way: the raw form keeps the thread
// from handing over its processor and was seen to wake milliseconds early.
func (m *Monotonic) SleepUntil(t time.Duration) {
	for m.Now() < t {
		ts := unix.NsecToTimespec(int64(t))
		err := unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
		if err != nil && err != unix.EINTR {
			return // only a bad argument gets here; a caller that loops stays correct
		}
	}
}

// Early is how long before its instant a punctual thread is back from the runtime.
const Early = time.Millisecond

// WakeAt is SleepUntil for a thread of which microseconds are asked. Whoever comes
// back from a system call has to fetch one of Go's own processors (P), which can take
// most of a millisecond beside a load: WakeAt does so before t and spends the rest
// in the raw system call, which keeps the processor.
func (m *Monotonic) WakeAt(t time.Duration) {
	m.SleepUntil(t - Early)
	ts := unix.NsecToTimespec(int64(t))
	for m.Now() < t {
		_, _, errno := unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP,
			unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
		if errno != 0 && errno != unix.EINTR {
			return // only a bad argument gets here; a caller that loops stays correct
		}
	}
}
