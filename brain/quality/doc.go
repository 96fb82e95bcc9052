// Package quality chooses how much of the brain a tick runs, so that ticks keep their time
// on a machine that is slow, hot, busy with other things or saves power.
//
// # Data
//
// Ladder lists the rungs: which parts of field and planner run, and how often. After every
// tick its caller tells a Governor how long the tick took and how the machine is
// (Update), and runs the next one on the rung that Choice names. What people may choose
// has a name (Names): Auto leaves the rung to the governor, any other stays on it. New and
// Bound take it, and Check refuses what is none.
//
// A part that a tick can leave out joins as a field of Rung and a value in each row.
// Reflexes, decisions, the displacement by the car's own motion and learning are in no rung.
//
// # Units
//
// Times are durations; waits are counted in ticks, of whatever period. Rungs count from 0,
// the best.
//
// # Determinism
//
// A Governor has no clock and no randomness: equal times and surroundings give equal rungs.
// In virtual time, in which ticks take none, Auto is the best rung.
//
// # Concurrency
//
// One goroutine owns a Governor, which is plain memory: a copy goes on by itself. Update,
// Bound and Choice do not allocate.
//
// # Errors
//
// New and Check refuse a quality that is none of Names, and name those that are; New also a
// budget beyond the period. Their caller adds who asks. Nothing else fails.
//
// # Source
//
// Why these rungs, shares and waits: docs/decisions/0015 and 0034. What each rung saves and
// loses: `fieldbrain bench ladder`, docs/performance.md.
package quality
