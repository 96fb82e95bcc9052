// Package drive runs a pilot, the brain or a baseline, through a scenario of the
// bench, in virtual or in real time, and adds to the result the figures that only
// the owner of the brain can measure: the field's hash, times of a tick,
// allocations.
//
// # Concurrency
//
// A Drive is one run and belongs to one goroutine. Contestants of one suite may
// run side by side.
//
// # Errors
//
// An error is a rig that cannot be built, a card that failed, or a driver that
// did not stop; a scenario that fails its limits is a Result.
package drive
