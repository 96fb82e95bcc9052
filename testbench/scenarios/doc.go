// Package scenarios holds the bench's scenarios: TOML files that state a world,
// a body, a duration, hints for the brain, faults and what counts as passing.
//
// The program holds the files beside this one; Names lists them and Load
// returns one. Open takes such a name or that of a file, under the same rules:
// Parse refuses an unknown key, a wrong type or a value out of range with file,
// line, key, reason and remedy, all of them at once.
//
// # Shapes
//
// Keys end in their unit where it is not metres: duration_s, heading_deg.
// Points are [x, y]. A value with a spread is drawn from value +- spread by
// the run's seed; Build turns a scenario and a seed into a world and a start.
//
// # Errors
//
// strict.Complaints: everything that is wrong with a file, or with the world of
// one seed.
//
// # Source
//
// docs/specification.md C.2: worlds, metrics and thresholds of the behavioural suite;
// docs/hardware.md section 6: the faults.
package scenarios
