// The tracker: in the library's checking variant every load and store of a
// kernel is seen (see track.cc). In the plain variant nothing is.
#pragma once

#include "fibers.h"

namespace softcuda {

#ifdef SOFTCUDA_TRACK
void trackBlock(Machine* m);  // a block begins: its shared memory is unwritten
#else
inline void trackBlock(Machine*) {}
#endif

}  // namespace softcuda
