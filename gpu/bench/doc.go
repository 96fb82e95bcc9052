// Package bench is the report of the graphics card's benchmark: who takes turns
// with whom, what is computed from their times, how it is printed, and the one
// time that only the client can take, from the sensors' page to the motors'.
// It needs no CUDA: the times come from fieldbrain-gpu (package gpu/worker).
//
// # Rounds
//
// Everything that is compared takes turns within one run: A B A B, each after a
// turn of its own that is not timed and brings its memory back into the caches.
// Ratios are taken inside a round, with the interval of package verdict, and a
// claim is void only where that interval holds its limit. The yardsticks are a copy
// of 8 MiB to another 8 MiB and a kernel that scales 8 MiB.
//
// # Units
//
// Microseconds, bytes, 1e9 bytes per second. The bytes of a row are those that
// it has to move at least, each once each way.
//
// # Source
//
// The rounds follow the practice of cyclictest-style comparisons on shared
// machines: a ratio of two times taken minutes apart means nothing.
package bench
