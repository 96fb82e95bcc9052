// Package native is the two inner loops of the belief in C++: rays that add up
// expected information, and rays that mark what a scan saw. One source (cast.h)
// is compiled once per instruction set (sse.cc, avx2.cc, avx512.cc, neon.cc) and
// chosen at run time, as field/cpu/native is (docs/decisions/0006).
//
// A lane is a ray; neighbouring lanes are neighbouring azimuths, which take
// about equally many steps. All arithmetic is integer and that of the package
// above, so every instruction set gives the bits of pure Go. The tag cuda leaves
// it out, as it does field/cpu/native.
//
// # Concurrency
//
// Calls on different grids may run at once.
package native
