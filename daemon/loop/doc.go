// Package loop calls a tick at absolute releases, one period apart, on a thread
// of its own, and accounts for every release.
//
// Reading order: loop.go (the loop calls the tick here), pacer.go (when),
// sched_linux.go (on what terms), recorder.go (how late), overload.go (how late
// is too late), conditions.go (what the machine refuses).
//
// # Determinism
//
// The loop guarantees: releases lie on a fixed grid of the monotonic clock, no
// period sees two ticks, the loop skips and counts a period it missed. It cannot
// guarantee a punctual release. On an ordinary kernel a wake-up can be late by
// milliseconds; SCHED_FIFO, a locked memory, an isolated processor and a
// PREEMPT_RT kernel each take some of that away, and each refusal is a
// Condition that status shows. `fieldbrain bench latency` measures the result.
//
// # Concurrency
//
// One goroutine, locked to its thread, runs the tick and the hook after it.
// It takes no lock that another thread may hold: a Recorder hands histograms
// over by swapping two sets, a Box hands over values under a lock that the loop
// only tries.
// Where the rest of the process stands in the real-time class too it passes Go's
// scheduler once behind each tick (Loop.Cede), or the runtime's monitor would take
// it for one that computes on and on, and interrupt it in a tick.
//
// # Errors
//
// New refuses a period outside field.MinPeriod .. field.MaxPeriod. Run returns the panic of
// a tick, with its stack. A refusal of the kernel is a Condition, never an error.
//
// # Source
//
// Absolute releases and skipped periods: ros2_control's sleeping policies.
// Refusals reported and survived: realtime_tools' realtime_helpers. Box:
// realtime_tools' RealtimeThreadSafeBox.
package loop
