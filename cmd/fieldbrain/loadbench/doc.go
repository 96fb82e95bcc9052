// Package loadbench measures how late the daemon's loop wakes up while others want the
// same processors and ask the daemon questions, beside cyclictest in the same
// seconds.
//
// Everything is a process of its own: the daemon with a simulated car that drives,
// pattern library and planner on, its mind saved each second; processes that
// compute; clients that ask for the status as fast as it is answered; and
// cyclictest (rt-tests), one thread with the loop's priority and period, which says
// what the machine allows. The machine's own standstills are in both, so the ratio
// of the two counts, not the times.
//
// [Watch] asks another question: what the ticks take while monitors, scrapes and open
// pages watch them, in rounds beside rounds in which these processes stand. [Course]
// lets loads of four kinds take turns beside one daemon, and reads from its flight ring
// how long ticks and responses took; a [Budget] keeps the figures of a release for the
// next one.
//
// Reading order: bench.go (what runs), tape.go (the loop's wake-ups), yardstick.go
// (cyclictest's), report.go (what they say); watched.go and browser.go (observers);
// course.go and burden.go (loads in turns), budget.go (the gate).
//
// # Equation
//
// The q-quantile of n latenesses in ascending order is the one at ceil(q n). The
// latenesses of the loop are those of every release, the skipped ones too: each of
// them waits for the next tick.
//
// # Concurrency
//
// One goroutine runs one bench. [Tape] belongs to the loop's thread.
//
// # Units
//
// Times are durations of CLOCK_MONOTONIC, and microseconds where a name says us.
package loadbench
