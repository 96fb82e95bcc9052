// Package failover makes one engine of two: the standby steps the field in the
// very tick in which the primary fails.
//
// # Concurrency
//
// One goroutine owns an Engine. Any goroutine may call Name and State.
//
// # Errors
//
// Step fails only where both engines do. Return refuses with ErrPrimaryWorks
// while the primary steps; the caller offers its engine again after a failure.
//
// # Source
//
// docs/decisions/0010-standby-mirrors-instead-of-snapshots.md.
package failover
