// Package brain runs one tick: it senses a body, encodes what it sensed into
// stimuli of the field, lets the field evolve, reads the decision off the
// peaks, lets the reflexes overrule it and hands the command to the body.
//
// Tick, in brain.go, is the whole of it on one page. A tick does not allocate,
// log, lock, block or format; it reads the clock once per stage boundary.
//
// # Determinism
//
// Equal bodies, engines and parameters give equal commands, bit for bit, on
// every machine: time and randomness come in as numbers (the tick counter and
// a key), no product is fused with a sum unless it is exact, and elementary functions come
// from field/exact.
//
// # Reading
//
// Data runs one way. encode.go perceives and stimulates: senses.go, goal.go and package
// line know the readings, explorer.go and outcome.go add what they make of them. guide.go
// asks for the way; on a table package table has the map, and package walls
// says how it lies. decode.go reads the output:
// points.go, obstacles.go, motor.go and package stall; package steer makes arcs of it;
// between.go is what one stage tells the next.
//
// Parts do not know the Brain: inputs.go tells each what it needs. Only the orders
// (pursue.go), the watch on progress and the parameters that people set while it runs reach
// into it. order.go and mission.go know what people ordered, odometry.go and package
// reckoning where the car is, state.go saves, remote.go serves other goroutines. Package quality
// chooses how much of all this a tick runs.
//
// # Concurrency
//
// One goroutine owns a Brain. Everybody else uses its Remote.
//
// # Errors
//
// A tick never fails: an engine's error is in the Trace, raises the cause
// EngineFault and commands a stop. New returns every complaint about the
// parameters joined.
//
// # Source
//
// Heading dynamics: Bicho, Mallet, Schoener 2000, Int. J. Robotics Research 19:424,
// doi:10.1177/02783640022066968. All constants were tuned in simulation.
package brain
