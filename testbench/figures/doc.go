// Package figures draws the figures of the concept page, docs/concept.md, from
// the real field: what a peak is, when it appears, why it decides, how it
// remembers, and what the axes mean.
//
// # Concurrency
//
// Every figure builds engines of its own. Any number may be drawn at once.
//
// # Errors
//
// Write returns the engine's, the scenario's or the writer's refusal, and names
// the figures it knows when asked for another.
//
// # Source
//
// docs/specification.md B.3 (equation), B.4 (regimes), B.5.1 (maps).
package figures
