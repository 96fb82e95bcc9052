// Package native is the imagined drives of brain/rollout in C++. One source (drive.h)
// is compiled once per instruction set (sse.cc, avx2.cc, avx512.cc, neon.cc) with the
// compiler's vector extensions and chosen at run time, as field/cpu/native is
// (docs/decisions/0006).
//
// A lane is a trajectory. No multiply-add is fused and sums keep sixteen lanes
// whatever the width, so every instruction set gives the bits of pure Go. The tag
// cuda leaves it out, as it does field/cpu/native.
//
// # Concurrency
//
// Calls on different blocks with different sums may run at once.
package native
