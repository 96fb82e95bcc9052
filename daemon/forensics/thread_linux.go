package forensics

import (
	"bytes"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A usage is what the kernel says of a thread since its start.
type usage struct {
	ran, waited      time.Duration // had a processor; was ready and had none
	system           time.Duration // of ran, what the kernel took: roughly, it counts by its ticks
	minor, major     int64         // page faults
	slept, preempted int64         // switches
}

// A self asks the kernel about the thread that it belongs to. It makes its system calls
// raw: none of them waits, and a call through the runtime would give away the thread's
// leave to run Go code, which it may have to wait for on its way back.
type self struct {
	sched *os.File // nil where there is none
	fd    uintptr  // its
	begun bool
	now   unix.Timespec
	usage unix.Rusage
	text  [64]byte
}

// ask returns the figures of the calling thread, which is always the same.
func (s *self) ask() (u usage) {
	if !s.begun {
		s.begun = true
		s.sched, _ = os.Open("/proc/thread-self/schedstat") // ns run, ns waited, turns
		s.fd = s.sched.Fd()
	}
	_, _, failed := unix.RawSyscall(unix.SYS_CLOCK_GETTIME,
		unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(&s.now)), 0)
	if failed == 0 {
		u.ran = time.Duration(s.now.Nano())
	}
	if unix.Getrusage(unix.RUSAGE_THREAD, &s.usage) == nil { // raw by itself
		u.minor, u.major, u.slept, u.preempted = s.usage.Minflt, s.usage.Majflt, s.usage.Nvcsw, s.usage.Nivcsw
		u.system = time.Duration(s.usage.Stime.Nano())
	}
	if s.sched != nil {
		u.waited = s.waited()
	}
	return u
}

// waited reads how long the thread has been ready without running.
func (s *self) waited() time.Duration {
	n, _, failed := unix.RawSyscall6(unix.SYS_PREAD64, s.fd, uintptr(unsafe.Pointer(&s.text)), uintptr(len(s.text)), 0, 0, 0)
	if failed != 0 || int(n) > len(s.text) {
		return 0
	}
	space := bytes.IndexByte(s.text[:n], ' ')
	return number(s.text[space+1:n], "", "", 1)
}
