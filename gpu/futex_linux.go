package gpu

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A futex is one word of shared memory that two processes wait on. Linux only,
// hence without the private flag: the two map it at different addresses.
type futex struct {
	word    *uint32
	timeout unix.Timespec // lives here, or every wait would allocate one
}

// Operations of futex(2).
const (
	futexWait = 0
	futexWake = 1
)

// wait sleeps while the word holds seen, at most for d. It may return early:
// the caller looks again at what it waits for.
func (f *futex) wait(seen uint32, d time.Duration) {
	f.timeout = unix.NsecToTimespec(int64(max(d, 0)))
	// Every result means: look again. EAGAIN, the word has changed already;
	// EINTR, a signal; ETIMEDOUT.
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(f.word)), futexWait, uintptr(seen),
		uintptr(unsafe.Pointer(&f.timeout)), 0, 0)
}

// wake wakes whoever waits on a word. It does not block.
func wake(word *uint32) {
	const everybody = 1 << 30
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, everybody, 0, 0, 0)
}

// looks is how often a spinning side looks at memory before it looks at the
// clock, which is some ten times dearer.
const looks = 32

// spin looks at done until it holds or d has passed since began, and reports
// whether it holds.
func spin(d time.Duration, done func() bool) bool {
	if done() {
		return true
	}
	for began := time.Now(); time.Since(began) < d; {
		for range looks {
			if done() {
				return true
			}
		}
	}
	return false
}

// load and store are the only access to words that both sides use.
func load(word *uint32) uint32     { return atomic.LoadUint32(word) }
func store(word *uint32, v uint32) { atomic.StoreUint32(word, v) }
