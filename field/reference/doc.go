// Package reference computes the field in float64, in plain loops written from
// the equations: the oracle that judges the engines.
//
// It takes from package field the parameters, the maps between bins and
// quantities, the kernels' weights and the random numbers, and nothing else: no
// table, no rate, no update rule of the engines. A test of this package holds it
// to that, and only tests may import it, so that a mistake of the engines cannot
// hide in what judges them.
//
// # Equation
//
// Field.evolve has the equation and its symbols; package field explains them.
// The oracle does not round as the engines do: outputs are no integers, kernels
// are the weights divided by 32768, sums are double. Package field derives, in
// section Accuracy, how far the two may differ.
//
// # Shapes
//
// An array holds the distinct cells of one channel, [x][y][z] with z fastest
// and extent 1 along the axes on which the channel is uniform.
//
// # Concurrency
//
// One goroutine owns a Field. It is two orders of magnitude slower than an
// engine.
//
// # Errors
//
// Nothing here fails: New wants valid parameters.
//
// # Source
//
// Amari 1977, Biological Cybernetics 27:77, doi:10.1007/BF00337259; sections B.3
// to B.5.5 of docs/specification.md.
package reference
