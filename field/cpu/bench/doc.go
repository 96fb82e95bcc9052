// Package bench times the CPU engines honestly: all of them and two yardsticks
// take turns within one run, ratios are taken inside a round, and a claim is judged
// by the interval of its ratio (package verdict). Against compares two programs,
// an old one and a new one, in the same way.
//
// # Floor
//
// Beside every time stands the floor, measured behind each of the engine's turns (cpu.Toil): the
// same thread goes over the same memory as a step does, reads and writes every row, and does as
// many lane operations as the equation has, none of which waits for another or for memory.
// Step and floor are compared as they are at best, of as many tries each.
// Loads, shuffles, loops and the preparation beyond that are the engine's own.
//
// The greater part is what memory or arithmetic alone would take: the least bytes over the
// in-place memory rate, or the least lane operations over the peak rate of the instruction set,
// of the same round (cpu.Minimum, cpu.Peak). Nothing reaches it where both are nearly as long:
// no core moves memory and computes at both full rates (docs/decisions/0082).
//
// # Yardsticks
//
// The copy moves 8 MiB to another 8 MiB with one thread; the scale multiplies
// 8 MiB in place. Both have the size of the dense field. Everything is timed
// with its memory in the caches, which is where a running brain's field stays.
//
// # Source
//
// Interleaving follows the practice of cyclictest-style comparisons on shared
// machines: a ratio of two times taken minutes apart means nothing.
package bench
