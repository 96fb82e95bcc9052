// The tracker: in the library's checking variant every load and store of a
// kernel is seen (see track.cc). In the plain variant nothing is.
#pragma once

#include <stdint.h>

#include <utility>
#include <vector>

#include "fibers.h"

namespace softcuda {

// What kernels may touch, as [begin, end), in ascending order.
std::vector<std::pair<uintptr_t, uintptr_t>> knownMemory();

#ifdef SOFTCUDA_TRACK
void trackGrid(Machine* m);   // a grid begins: the known memory is looked up
void trackBlock(Machine* m);  // a block begins: its shared memory is unwritten
#else
inline void trackGrid(Machine*) {}
inline void trackBlock(Machine*) {}
#endif

}  // namespace softcuda
