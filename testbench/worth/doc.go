// Package worth measures what the field itself contributes, by taking it away: the same
// brain, whose heading another rule decides or whose memory another one keeps (package
// field/ablation), in the same scenes with the same seeds.
//
// A Question is one scene with its measures. Every kind of brain answers it for every
// seed; a Row compares each with the whole field, seed by seed: the mean of the
// differences with its 95 % interval (Student). An interval that holds 0 shows no
// difference, and neither does a handful of seeds.
//
// Three kinds of scenes follow one another. In the first a bare field looks at readings
// that are made for it, with no car and no brain around it: there nothing else can do
// the work. In the second the whole car drives. In the third it learns.
//
// # Concurrency
//
// Run answers questions on several workers; every answer has an engine of its own.
//
// # Errors
//
// A scene that cannot be built, or an engine that fails, ends the run with its error. A
// kind that does worse is a result.
//
// # Source
//
//   - Bicho, Mallet, Schoener 2000, doi:10.1177/02783640022066968: attractor dynamics,
//     the published alternative.
//   - docs/specification.md, part C: the scenes' sizes and the T-maze.
package worth
