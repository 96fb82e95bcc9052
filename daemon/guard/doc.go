// Package guard is the daemon's end of fieldbrain-guard, the small process that
// stops the car when the daemon cannot (cmd/fieldbrain-guard, docs/guard.md).
//
// The guard owns the HAT's reset line. A [Ward] is a daemon in its care: it has a
// copy of the line, which the driver drives like any other output, and a page of
// shared memory, into which the loop writes with every tick. Neither needs the
// guard's attention, and neither ends with the other's process: the line keeps
// its owner as long as one of the two lives.
//
// # Concurrency
//
// [Ward.Beat] and [Ward.Noted] are the loop's thread's; they take no lock, enter
// the kernel once in a page's life and allocate nothing. Any goroutine may call
// [Ward.Set], [Ward.Lost] and [Ward.State]. [Ward.Renew] and [Ward.Close] are one
// slow goroutine's.
//
// # Units
//
// Instants are those of CLOCK_MONOTONIC since the machine's start, as a
// time.Duration.
package guard
