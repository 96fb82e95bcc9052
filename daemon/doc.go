// Package daemon is everything around the brain that makes it a service: the
// paced loop, what it asks of the kernel, its statistics, the configuration,
// the control socket, the log and the service manager's watchdog.
//
// Reading order: loop.go (the tick is called here), pacer.go (when),
// sched_linux.go (on what terms), hist.go (how late), config.go, control.go.
//
// # Determinism
//
// What is guaranteed: releases lie on a fixed grid of the monotonic clock, no
// period sees two ticks, missed periods are skipped and counted. What is not:
// that a release is punctual. On an ordinary kernel a wake-up can be late by
// milliseconds; SCHED_FIFO, a locked memory, an isolated processor and a
// PREEMPT_RT kernel each take some of that away, and each refusal is a
// Condition that status shows. `fieldbrain bench latency` measures the result.
//
// # Concurrency
//
// One goroutine, locked to its thread, runs the tick and the hook after it.
// It takes no lock that another thread may hold: histograms are handed over by
// swapping two sets (Recorder), values by a lock it only tries (Latch).
// Everything else (log, socket, watchdog, view) runs in goroutines of the
// ordinary class.
//
// # Errors
//
// ErrRunning: another daemon owns the control socket; the caller gives up.
// ErrNoDaemon: nothing answers on it. Complaints: all that is wrong with a
// configuration, each with file, line, key, reason and remedy. A degraded part
// is not an error but a Condition.
//
// # Source
//
// Absolute releases and skipped periods: ros2_control's sleeping policies.
// Refusals reported and survived: realtime_tools' realtime_helpers.
package daemon
