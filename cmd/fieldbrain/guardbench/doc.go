// Package guardbench kills the daemon and measures how long the motors run on.
//
// Everything is real but the car: fieldbrain-guard and fieldbrain run as processes
// of their own and drive a simulated Robot HAT (testbench/hat) that this process
// owns and that survives both. Each [Death] waits until the car drives, kills the
// daemon at a random instant in one of the [Kinds] of ways, and takes the instant
// at which the HAT's two motor outputs are zero.
//
// # Concurrency
//
// One goroutine runs one bench. [Victim] is the inside of the daemon that dies.
//
// # Units
//
// Times are durations of CLOCK_MONOTONIC. A death's After counts from the signal;
// Beyond counts from the end of the silence that the guard allows, for the ways in
// which no process dies.
package guardbench
