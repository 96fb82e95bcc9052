// How the kernels of a tick overlap (programmatic dependent launch, CUDA's programming
// guide; compute capability 9.0 and later): the next kernel's blocks may begin once all
// of this one's have. Each kernel counts its blocks as they begin and as they end, and
// who needs what a kernel wrote waits until as many have ended as ever began: that is
// seen sooner than the kernel's end. Where kernels do not overlap the one before has
// ended, and nobody counts.
#ifndef FIELDBRAIN_OVERLAP_CUH
#define FIELDBRAIN_OVERLAP_CUH

#include "exact.cuh"

// at_hand copies what the kernels work on into the block's own memory: there every thread
// finds a place without a journey to the cache, which a fence empties. A whole block calls
// it.
DEVICE const Memory *at_hand(const Memory *mem, Memory *copy) {
	const int i = threadIdx.x;
	static_assert(sizeof(Memory) % 8 == 0, "copied in words");
	if (i < (int)(sizeof(Memory) / 8)) ((uint64_t *)copy)[i] = ((const uint64_t *)mem)[i];
	__syncthreads();
	return copy;
}

// Kernels whose blocks are counted, the index of Frame.began and Frame.ended.
enum { PREP, EVOLVE };

// let_next_begin lets the blocks of the next kernel begin, once every block has called it.
DEVICE void let_next_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
	asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// began counts a block of the evolve pass before it lets the next kernel begin; one
// thread calls it.
DEVICE void began(const Memory *mem) {
	if (!mem->overlap) return;
	atomicAdd((unsigned long long *)&mem->frame->began[EVOLVE], 1ull);
	__threadfence(); // the next kernel's blocks find it counted
	let_next_begin();
}

// ended counts a block that has done all its work; the whole block calls it.
DEVICE void ended(Frame *f, bool overlap, int kernel) {
	if (!overlap) return;
	__syncthreads();
	if (threadIdx.x != 0) return;
	__threadfence(); // all that it wrote, seen through the barrier, before the count
	atomicAdd((unsigned long long *)&f->ended[kernel], 1ull);
}

// await waits until all blocks of a kernel have ended; the whole block calls it.
DEVICE void await(const volatile Frame *f, bool overlap, int kernel) {
	if (!overlap) return;
	if (threadIdx.x == 0) {
		const uint64_t blocks = f->began[kernel];
		while (f->ended[kernel] < blocks) {}
		__threadfence();
	}
	__syncthreads();
}

#endif
