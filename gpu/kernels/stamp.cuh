// Where the time of a tick goes, block by block: a diagnostic build (make stamps, which
// defines FIELDBRAIN_STAMPS) notes the clock behind every phase. In the product's kernels
// a stamp is nothing.
#ifndef FIELDBRAIN_STAMP_CUH
#define FIELDBRAIN_STAMP_CUH

#include "exact.cuh"

// Kernels of a tick, the first index of Memory.stamps.
enum { STAMP_PREP, STAMP_EVOLVE, STAMP_MOTOR };

#ifdef FIELDBRAIN_STAMPS
// stamp notes when thread 0 of this block has phase `phase` behind it.
DEVICE void stamp(const Memory *mem, int kernel, int phase) {
	if (threadIdx.x != 0 || blockIdx.x >= STAMP_BLOCKS || !mem->stamps) return;
	Stamp *s = &mem->stamps[kernel * STAMP_BLOCKS + blockIdx.x];
	s->clock[phase] = (uint64_t)clock64();
	if (phase != 0) return;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(s->began));
	asm volatile("mov.u32 %0, %smid;" : "=r"(s->processor));
}
#else
DEVICE void stamp(const Memory *, int, int) {}
#endif

#endif
