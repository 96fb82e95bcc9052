// Package scenarios holds the bench's scenarios: TOML files that state a world,
// a body, a duration, hints for the brain, faults and what counts as passing.
//
// The files beside this one are compiled in; Names lists them and Load returns
// one. Parse reads any other file under the same rules: an unknown key, a wrong
// type or a value out of range is refused with file, line, key and reason.
//
// # Shapes
//
// Keys end in their unit where it is not metres: duration_s, heading_deg.
// Points are [x, y]. A value with a spread is drawn from value +- spread by
// the run's seed; Build turns a scenario and a seed into a world and a start.
//
// # Errors
//
// Error: one complaint; Parse joins all of them.
//
// # Source
//
// docs/specification.md C.2: worlds, metrics and thresholds of the behavioural suite;
// docs/hardware.md section 6: the faults.
package scenarios
