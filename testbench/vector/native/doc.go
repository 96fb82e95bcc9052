// Package native is the cars of testbench/vector in C++. One source (step.h and what
// it includes) is compiled once per instruction set (sse.cc, avx2.cc, avx512.cc,
// neon.cc) with the compiler's vector extensions and chosen at run time, as
// field/cpu/native is (docs/decisions/0006).
//
// A lane is a car; where gaps are looked at it is an obstacle, in a sonar's cone a
// ray. No multiply-add is fused except in the division by whole constants, whose
// quotient is exact, so every instruction set gives the bits of pure Go. The tag
// cuda leaves it out, as it does field/cpu/native.
//
// # Concurrency
//
// Calls on different blocks may run at once.
package native
