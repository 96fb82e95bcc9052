// Package hostile makes what nobody should give the program: files that are none,
// configurations that are wrong in every way, and clients that break off, shout or
// lie. Everything follows from a seed, so that what broke something can be made
// again.
//
// The package's own tests give it to the program and count what came of it: make
// fuzz runs them at full length before the fuzzer's own targets.
package hostile
