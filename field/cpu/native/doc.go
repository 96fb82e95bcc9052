// Package native is the evolve pass of the CPU engines in C++: one source
// (kernel.h, lateral.h, diffuse.h, motion.h, evolve.h) compiled once per instruction
// set (sse.cc, avx2.cc, avx512.cc, neon.cc) and chosen at run time.
//
// Each file names its instruction set in a pragma instead of in compiler
// flags, so that one package holds them all and the build cache sees every
// header (docs/decisions/0006). Contraction is off: products and sums are
// rounded separately, and every instruction set gives the bits of the pure Go
// engine in the package above. NEON has forms of its own of what costs most
// (point_neon.h, lines_neon.h): fewer operations, the same bits.
//
// A program with the tag cuda has pure Go alone: the graphics card computes there,
// and what it is compared with needs no speed.
//
// # Concurrency
//
// Evolve may run for different units on different workers at once; everything
// else belongs to the engine's owner.
package native
