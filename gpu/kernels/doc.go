// Package kernels holds the field's kernels for graphics processors and what
// starts them: the CUDA sources (*.cu, *.cuh), the machine code made from them
// by `make kernels`, and a Program that says which kernel runs with how many
// blocks. The Go side has no cgo and needs no CUDA.
//
// # A tick
//
// Three kernels in one graph:
//
//	K1 prep    maps, heading input, stimuli, couplings, displacement (prep.cuh)
//	K2 evolve  one pass over the field: lateral interaction, diffusion, input,
//	           noise, update, output, traces, marginals (evolve.cuh)
//	K3 motor   the answer, written where the daemon polls it (motor.cuh)
//
// From Hopper on, where the driver's graphs can (12.3), they overlap (overlap.cuh): K2
// begins while K1 runs and makes the lateral sums, for these need nothing but the
// activations of before, of few channels as the body's motion displaced them; K3 waits
// beside K2 and writes what of the answer K1 knew. A block that needs what a kernel wrote,
// or those of its blocks that displace, waits until as many of them have ended as have
// begun. What is learned from the senses comes behind what others wait for. None of the next kernel begins before all of the one
// before have, so that no order in which a card starts blocks can make them wait for ever.
// On other cards each kernel begins when the one before it has ended, and makes the same
// sums then.
//
// A block of K1 has one task: maps and heading input, prediction and the order of
// stimuli, profiles of 32 stimuli along one axis, a part of a coupling, of a displaced
// channel's distinct cells, or of what patterns keep. None is long, for the longest
// decides when K2 goes on; it has as many threads as a block of K2, which finds room beside
// it. Profiles are chains of products, walked in the lanes of a warp, four to a profile:
// most cards have two units for doubles per multiprocessor, which serve a warp as slowly
// as a lane. One block brings the input from the page into the frame: one that has nothing
// else to do, where all run at once, else the first to begin. The others wait for it there,
// and meanwhile bring what else they need.
//
// A block of K2 owns 16 of the 32 planes of one channel, and the same planes of the
// traces that follow it; 8 where a block has less than 80 KiB of shared memory, or
// where there are more than 64 multiprocessors to fill. Along the first axis it needs
// the outputs of all planes, which it computes anew from the activations instead of
// exchanging them; along the other two it convolves in place, a thread per line. A
// warp is a row of 32 cells. A channel whose cells interact along the first axis alone
// is divided along the second instead: a thread has a column of it in registers, no
// output is computed for a neighbour, and no thread waits for another. A thread updates
// the cells of 8 planes together, 4 in half precision (batch.cuh): on large cards it
// waits for memory and for its own products, not for its turn. The first trace that
// follows advances with them. The longest blocks start first.
//
// Each channel has two places for its activations, and a tick reads one and
// writes the other. Displaced activations of egocentric channels, distinct cells only,
// and the sum of their outputs, come from K1: global inhibition needs that sum before
// the first cell is updated, when not every block of K2 has begun.
//
// K3 reads nothing from the host: number of tick and request come from K1 by way of
// the frame. What it writes there is ordered by one fence behind a barrier.
//
// # Prediction
//
// docs/kernels.md has a predicted time of the tick for some cards, from the compiler's
// instructions, the division into blocks and what a card's data sheet says (Silicon).
// It is arithmetic, and a test of it keeps a block from becoming the critical
// one again; only gpu/measure on a card knows, and a diagnostic build of the kernels
// (stamp.cuh, make stamps), which notes every block's clock behind every phase.
//
// # A plan
//
// Beside the ticks, on a stream of lower priority and with memory of its own: the
// questions of the planner (plan.cuh, bicycle.cuh), at most six short kernels. A
// ray is a thread; its block has the whole grid as classes, a byte per cell, in
// shared memory, and no thread waits for another until its ray has ended. What
// every ray gains is kept, so that the last kernel can decide as the processor
// does how many of them count.
//
// # Equal bits
//
// Every product and sum is rounded by itself (__fmul_rn and its kin), lateral
// sums and marginals are integers, random numbers are keyed by tick and cell:
// the field's hash equals that of the processor's engines. With half precision
// the activations are rounded by chance (see half.cuh) and the hash differs.
package kernels

//go:generate go run ./header
