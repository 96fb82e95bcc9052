// Package seat puts a brain into the cars of the bench, as package fieldbrain puts it into
// a body of your own.
//
// The words: a testbench.Vehicle is the car that a run lends, a testbench.Pilot is the
// function that takes it and drives. A Maker has such a function: it makes a brain for
// every vehicle that it is given. A pilot without a brain needs no package but testbench.
//
// Equal seeds give equal runs, bit for bit: each begins with a field at rest, also where
// fieldbrain.Options.Engine is the processor's. An engine of another kind goes on with the
// field of the run before.
//
// # Concurrency
//
// A Maker belongs to one goroutine; so does each of its brains.
//
// # Errors
//
// Pilot returns what fieldbrain.New complains about.
package seat
