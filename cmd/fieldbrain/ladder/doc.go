// Package ladder measures every rung of the quality ladder on the same recorded
// drive: the time that it saves and its loss, side by side.
//
// Reading order: tape.go (Record keeps a drive at full quality), compare.go
// (every rung sees it once more, in turns), score.go (every rung drives by
// itself), report.go (rows and verdict).
//
// # Units
//
// Times in ms, angles in degrees in a Row and in radians while they are summed,
// throttle as a share of full speed.
//
// # Concurrency
//
// Record and Compare work in the caller's goroutine; Score uses one per processor.
//
// # Errors
//
// config.UsageError for a scenario that does not exist. An ordinary error when
// the recorded car never armed, or when a replay at full quality is not the
// drive.
//
// # Source
//
// The loss that a rung may have: field-brain.md, B.11.
package ladder
