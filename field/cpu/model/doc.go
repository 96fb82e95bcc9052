// Package model judges the NEON engine without a processor that has it: how many
// cycles a row of 32 cells takes in a model of the machine (llvm-mca), loop by loop,
// from the text that the compiler for arm64 makes of the engine's own sources. `make
// neon` writes report.json and docs/neon.md; the report names the hash of the sources
// that it was made from, and a test compares.
//
// # What is judged
//
// A function for each loop that a channel of the default table goes through in a dense
// tick (rows.h; the list is Entries). The loop itself is the engine's: the macro
// LOOP_IS names it there, and the report cuts it out of the compiler's text, control of
// the loop included. It is a loop without other loops within, and where it branches
// both ways are counted.
//
// # What is not
//
// llvm-mca knows no caches, no branch that goes another way than the one before, and
// nothing of stores and loads that meet: every load hits the first level. A conversion
// that scales by a power of two it takes for any operation; it is counted like one that
// does not scale. Left out are what happens once per plane or channel, the displacement
// by the body's motion, and the preparation. Each channel has one stimulus.
//
// Nobody has written down the Cortex-A78AE's pipelines for LLVM: under that name it has
// those of the Cortex-A57. Processors says what each column is.
package model
