// Package bench times the environments of testbench/vector/env from Go, C and Python,
// each by the same work: so many cars with the same seeds, actions copied in, a step,
// rewards added up. The three are processes or goroutines that take turns in every
// round, all on one processor, begin anew every few rounds, and their processor times
// are compared in pairs.
//
// The program in C is compiled for the run, by cc against the library and the header
// that make env built; Python imports the package beside them.
//
// # Errors
//
// Run names what is missing and how it is made.
package bench
