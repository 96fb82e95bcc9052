// Package forensics finds out why a tick missed its deadline, and keeps the evidence.
//
// The loop's thread notes every tick with its stages and with what the kernel says
// of the thread (processor time, faults, switches). A slow goroutine looks ten times
// a second at counters that nobody has to be stopped for. When a release was skipped
// or came late, the difference between the looks around it is the evidence, [Judge]
// names the most likely cause in one sentence, and an [Archive] keeps the bundle.
//
// Reading order: tick.go and thread_linux.go (what the loop notes), counters.go and probe_linux.go (what
// the slow goroutine looks at), evidence.go (what lies around a miss), judge.go (the
// cause), sentence.go (its words), inspector.go (who calls whom), archive.go (files).
//
// # Equation
//
// A miss costs L: its wake-up lateness and its busy time, each less the median of the
// punctual ticks before. The costliest miss between two looks is judged. What the kernel
// says of the thread in that tick is exact. Another counter explains
// e = max(0, d - r w): d is what it grew by between the looks, w the time between them,
// r its rate in the second before; and no more than the time for which the thread did
// not run, if it only kept the thread from running. The cause is the first, from the
// machine inwards, with e >= L/2; or else the one with the greatest e >= L/4; or else
// none is named.
//
// # Determinism
//
// Judge is a function of its evidence alone.
//
// # Concurrency
//
// [Recorder.Put] belongs to the loop's thread; it takes a lock that it only tries,
// and makes three system calls that never wait. [Inspector.Look] belongs to one slow
// goroutine, [Inspector.Run] is another one, which alone touches files.
//
// # Units
//
// Times are durations of CLOCK_MONOTONIC, memory bytes, temperatures C, clocks Hz.
//
// # Errors
//
// A folder that takes nothing is an error of Run's caller to show; the car drives on.
// What a machine does not tell is absent in the evidence, and explains nothing.
//
// # Source
//
// The idea is the kernel's rtla, which stops at a latency and says what made it
// (https://docs.kernel.org/tools/rtla/). Counters: proc_pid_stat(5), getrusage(2),
// Documentation/scheduler/sched-stats.rst, Documentation/accounting/psi.rst.
package forensics
