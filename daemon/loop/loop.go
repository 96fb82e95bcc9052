package loop

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
)

// Params are the loop's period and what it asks of the kernel.
type Params struct {
	Period     time.Duration // from release to release, field.MinPeriod .. field.MaxPeriod
	WarmUp     int           // first ticks that no statistic sees, at least 1
	CPU        int           // processor to stay on, -1 for any
	Priority   int           // SCHED_FIFO priority 1 .. 98, 0 for the ordinary class
	LockMemory bool          // keep every page of the process in memory
}

// Default returns the daemon's defaults: 5 ms, FIFO 50 (the middle of the
// range, as ros2_control chooses), any processor, memory locked. The first 20
// ticks touch cold caches and pages and would be the maximum of every run.
func Default() Params {
	return Params{Period: DefaultPeriod, WarmUp: 20, CPU: -1, Priority: 50, LockMemory: true}
}

// A Sample is when one tick was due, began and ended.
type Sample struct {
	Release time.Duration // instant the tick was due
	Start   time.Duration // instant it began; Start-Release is the wake-up lateness
	End     time.Duration // instant it returned
	Skipped int           // whole periods skipped after it; more than 0 is an overrun
	Next    time.Duration // instant the next tick is due, Skipped+1 periods after Release
	Warm    bool          // past the warm-up: counts in statistics
}

// Hooks are the functions a Loop calls, all on its own locked thread.
type Hooks struct {
	Tick    func(now time.Duration)   // required: one tick, begun at now
	After   func(s Sample)            // may be nil: statistics, outside the tick's time
	Refused func(c Condition)         // may be nil: before the first tick, once per refusal of the kernel
	Paced   func(first time.Duration) // may be nil: before the first tick, its release; every later one lies whole periods after it
	Ended   func()                    // may be nil: after the last tick of an orderly end, while the thread still lives
}

// Counts are a loop's counters since its start, warm-up excluded.
type Counts struct {
	Ticks    uint64 `json:"ticks"`    // ticks run, warm-up included
	Overruns uint64 `json:"overruns"` // ticks not finished at the next release
	Skipped  uint64 `json:"skipped"`  // whole periods left out because of them
}

// A Loop calls a tick at absolute releases, one period apart.
type Loop struct {
	clock  robot.Clock
	params Params
	hooks  Hooks

	cedes    bool // see Cede
	stop     atomic.Bool
	ticks    atomic.Uint64
	overruns atomic.Uint64
	skipped  atomic.Uint64
}

// New returns a loop on the given clock. It refuses a period outside the
// legal range.
func New(clock robot.Clock, p Params, h Hooks) (*Loop, error) {
	if clock == nil || h.Tick == nil {
		panic("loop: loop needs a clock and a tick")
	}
	if p.Period < field.MinPeriod || p.Period > field.MaxPeriod {
		return nil, fmt.Errorf("loop: period %v is outside %v .. %v", p.Period, field.MinPeriod, field.MaxPeriod)
	}
	p.WarmUp = max(p.WarmUp, 1)
	return &Loop{clock: clock, params: p, hooks: h}, nil
}

// Counts returns the counters. Any goroutine may call it at any time.
func (l *Loop) Counts() Counts {
	return Counts{Ticks: l.ticks.Load(), Overruns: l.overruns.Load(), Skipped: l.skipped.Load()}
}

// Cede makes the loop's thread give its Go processor (P) back after each tick and fetch one
// again before the next (robot.Ceder). Use it only where the process's other threads are
// real-time too (RaiseRest), or the machine is idle. Call it before Run.
func (l *Loop) Cede() { l.cedes = true }

// Run ticks until ctx is done, then returns nil once the last tick has ended,
// at most one period later. A panic in a tick ends the loop, and Run returns it
// as an error with its stack; the caller halts the body. Call Run once.
func (l *Loop) Run(ctx context.Context) error {
	cancel := context.AfterFunc(ctx, func() { l.stop.Store(true) })
	defer cancel()
	done := make(chan error, 1)
	go onOwnThread(func() { done <- l.pace() })
	return <-done
}

// pace claims the thread's rank, runs the loop and turns a panic of a tick into an error.
func (l *Loop) pace() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("loop: tick %d panicked: %v\n%s", l.ticks.Load(), r, debug.Stack())
		}
	}()
	for _, c := range Claim(l.params) {
		if l.hooks.Refused != nil {
			l.hooks.Refused(c)
		}
	}
	pacer := NewPacer(l.params.Period, l.clock.Now()+l.params.Period)
	if l.hooks.Paced != nil {
		l.hooks.Paced(pacer.Release())
	}
	l.tickUntilStopped(&pacer)
	if l.hooks.Ended != nil {
		l.hooks.Ended()
	}
	return nil
}

// tickUntilStopped is the deadline: sleep to the release, tick, count what was missed.
func (l *Loop) tickUntilStopped(pacer *Pacer) {
	sleep := l.sleeper()
	for !l.stop.Load() {
		sleep(pacer.Release())
		l.cycle(pacer)
	}
}

// sleeper returns what waits for a release: on the machine's clock by absolute sleeps,
// the Go processor ceded meanwhile, on any other clock as that one sleeps.
func (l *Loop) sleeper() func(release time.Duration) {
	machine, real := l.clock.(*robot.Monotonic)
	if !real {
		return l.clock.SleepUntil
	}
	turn := robot.Ceder{Off: !l.cedes}
	return func(release time.Duration) {
		turn.Cede(machine.Now(), release-robot.Early)
		machine.WakeAt(release)
	}
}

// cycle runs the tick that has just been released and accounts for it.
func (l *Loop) cycle(pacer *Pacer) {
	s := Sample{Release: pacer.Release(), Start: l.clock.Now()}
	l.hooks.Tick(s.Start)
	s.End = l.clock.Now()
	s.Skipped = pacer.Advance(s.Start, s.End)
	s.Next = pacer.Release()
	s.Warm = l.ticks.Add(1) > uint64(l.params.WarmUp)
	if s.Warm && s.Skipped > 0 {
		l.overruns.Add(1)
		l.skipped.Add(uint64(s.Skipped))
	}
	if l.hooks.After != nil {
		l.hooks.After(s)
	}
}

// spareThreads is how many goroutines may run beside one per processor.
const spareThreads = 6

// MakeRoom lets more goroutines run at once than there are processors. The
// locked threads (loop, bus, sonar) must never wait for one of Go's own
// processors (P) while slow goroutines hold them all: the kernel's priorities decide who
// runs, and they can only do so among threads that are allowed to.
func MakeRoom() { runtime.GOMAXPROCS(runtime.NumCPU() + spareThreads) }
