package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A pool runs the units of one tick on the caller's thread and on workers that
// are locked to threads of their own. A worker spins for a bounded time after
// each tick, then sleeps in the kernel; a pure spin would take eight times as
// long on a core that something else wants.
type pool struct {
	threads int
	units   int32
	work    func(unit, worker int)

	onThread func() // runs first on each worker's thread; nil for none

	next   atomic.Int32  // next unit to claim
	round  atomic.Uint32 // counts ticks; workers sleep on it
	busy   atomic.Uint32 // workers still inside this round; the caller sleeps on it
	waits  atomic.Bool   // whether the caller sleeps
	asleep atomic.Int32  // workers in the kernel
	stop   atomic.Bool
	done   sync.WaitGroup
}

// Operations of the futex system call (linux/futex.h).
const (
	futexWait = 0 | 128 // private
	futexWake = 1 | 128
)

// Bounds of the spins, in loads of one word: about 10 us, then yields.
const (
	spins  = 4000
	yields = 50
)

func newPool(threads, units int, work func(unit, worker int), onThread func()) *pool {
	p := &pool{threads: threads, units: int32(units), work: work, onThread: onThread}
	for w := 1; w < threads; w++ {
		p.done.Add(1)
		go p.worker(w)
	}
	return p
}

// run executes every unit once and returns when all are finished. The caller
// may be a real-time thread and the workers ordinary ones: after a bounded spin
// it sleeps until the last worker wakes it, because a yield would never let a
// thread of a lower class in.
func (p *pool) run() {
	p.next.Store(0)
	if p.threads > 1 {
		p.busy.Store(uint32(p.threads - 1))
		p.round.Add(1)
		if p.asleep.Load() > 0 {
			p.wake()
		}
	}
	p.claim(0)
	for n := 0; ; n++ {
		left := p.busy.Load()
		if left == 0 {
			return
		}
		if n > spins {
			p.waits.Store(true)
			futex(&p.busy, futexWait, left)
			p.waits.Store(false)
		}
	}
}

// claim works through the units until none is left.
func (p *pool) claim(worker int) {
	for {
		unit := p.next.Add(1) - 1
		if unit >= p.units {
			return
		}
		p.work(int(unit), worker)
	}
}

func (p *pool) worker(w int) {
	defer p.done.Done()
	runtime.LockOSThread() // for good: the thread may have been raised
	if p.onThread != nil {
		p.onThread()
	}
	for seen := uint32(0); ; {
		seen = p.await(seen)
		if p.stop.Load() {
			return
		}
		p.claim(w)
		if p.busy.Add(^uint32(0)); p.waits.Load() {
			futex(&p.busy, futexWake, 1)
		}
	}
}

// await returns the number of the next round: spin, yield, then sleep.
func (p *pool) await(seen uint32) uint32 {
	for n := 0; ; n++ {
		if now := p.round.Load(); now != seen {
			return now
		}
		switch {
		case n < spins:
		case n < spins+yields:
			yield()
		default:
			p.asleep.Add(1)
			futex(&p.round, futexWait, seen)
			p.asleep.Add(-1)
		}
	}
}

func (p *pool) wake() {
	futex(&p.round, futexWake, 1<<30)
}

func (p *pool) close() {
	p.stop.Store(true)
	p.round.Add(1)
	p.wake()
	p.done.Wait()
}

// futex calls the kernel on the word; a wait ends when the word has changed,
// is woken, or is interrupted, and the caller looks again in every case.
func futex(word *atomic.Uint32, op uint32, value uint32) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), uintptr(op), uintptr(value), 0, 0, 0)
}

func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
