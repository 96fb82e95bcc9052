// Package telemetry lets other processes watch a run, and read it after its death: a
// page with the newest state and all histograms, and a flight ring with every tick
// of the last ten minutes. Both are mapped files of a fixed, versioned layout beside
// the control socket (docs/telemetry.md).
//
// Reading order: tick.go (what is kept of a tick), layout.go (where), entries.go (how
// an element is written whole), writer.go and slices.go (the daemon's side),
// reader.go, page.go and ring.go (everybody else's), file.go (the files themselves).
//
// # Concurrency
//
// One run writes. The loop's thread stores into mapped memory: it enters no kernel,
// takes no lock, allocates nothing, and no reader can hold it up, because no reader
// writes. Each element has two places and a counter; each carries its number and
// its sum, so that a reader knows a whole copy from a torn one whatever the
// processor's order of stores, and a writer that dies at an element leaves the one
// before. The histograms have a sequence lock.
//
// # Errors
//
// A reader copies and never maps, so that a file that is cut short under it is an
// error and no signal; it believes no size, offset, number or name before it has
// looked at it. ErrForeign, ErrVersion, ErrDamaged and ErrEmpty say what is wrong. A
// writer whose file is cut short stops writing and says so (Err); the loop goes on.
//
// # Units
//
// Instants are CLOCK_MONOTONIC's, in ns; lengths in ns; everything else SI. What
// nobody knows is Absent, Unknown or NaN, never 0.
//
// # Source
//
// HdrHistogram's index: Tene, http://hdrhistogram.org. Two copies and a counter: the
// latch sequence counters of Linux, Documentation/locking/seqlock.rst.
package telemetry
