// Package bench times the CPU engines honestly: all of them and two yardsticks
// take turns within one run, ratios are taken inside a round, and a claim is judged
// by the interval of its ratio (package verdict). Against compares two programs,
// an old one and a new one, in the same way.
//
// # Floor
//
// Beside every time stands the computed floor: the larger of the least bytes
// over the in-place memory rate and the least lane operations over the peak rate
// of the instruction set, both measured in the same round (cpu.Minimum, cpu.Peak).
// Nothing that computes it this way on this core is faster.
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
