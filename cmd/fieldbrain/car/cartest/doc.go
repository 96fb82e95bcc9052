// Package cartest puts minds on the bench for tests: a Ride drives in virtual
// time with a hook around every tick, a Hunt does so while somebody attacks the
// graphics card's program, and a SoftwareCard is that program on the software
// driver.
//
// # Concurrency
//
// A Ride and a Hunt belong to the test's goroutine, in which virtual time moves.
//
// # Errors
//
// None: a car that the package cannot build fails the test, or skips it and says
// why.
package cartest
