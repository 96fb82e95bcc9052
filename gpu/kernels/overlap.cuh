// How the kernels of a tick overlap (programmatic dependent launch, CUDA's programming
// guide; compute capability 9.0 and later): the next kernel's blocks may begin once all
// of this one's have. Each stage counts its blocks as they begin and as they end, and
// who needs what a stage wrote waits until as many have ended as ever began: that is
// seen sooner than the kernel's end. Where kernels do not overlap the one before has
// ended, and nobody counts what ends: a Frame is of kernels that overlap or of kernels
// that do not, never of both in turn.
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

// release comes before a word by which a block hands over what its threads wrote, seen
// through a barrier; acquired reads such a word: who finds the new one sees it all. Waiting
// for the order of all threads, as __threadfence does, takes longer.
DEVICE void release() {
#if defined(__CUDA_ARCH__)
	asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
	__threadfence();
#endif
}

// release_to_host is release where the host reads.
DEVICE void release_to_host() {
#if defined(__CUDA_ARCH__)
	asm volatile("fence.acq_rel.sys;" ::: "memory");
#else
	__threadfence_system();
#endif
}

DEVICE uint64_t acquired(const uint64_t *word) {
#if defined(__CUDA_ARCH__)
	uint64_t v;
	asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(v) : "l"(word) : "memory");
	return v;
#else
	const uint64_t v = *(const volatile uint64_t *)word;
	__threadfence();
	return v;
#endif
}

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
	atomicAdd((unsigned long long *)&mem->frame->began[STAGE_EVOLVE], 1ull);
	release(); // the next kernel's blocks find it counted
	let_next_begin();
}

// ended counts a block that has done all that a stage asks of it; the whole block calls it.
DEVICE void ended(Frame *f, bool overlap, int stage) {
	if (!overlap) return;
	__syncthreads();
	if (threadIdx.x != 0) return;
	release(); // all that it wrote, seen through the barrier, before the count
	atomicAdd((unsigned long long *)&f->ended[stage], 1ull);
}

// await waits until all blocks of a stage have ended; the whole block calls it.
DEVICE void await(const Frame *f, bool overlap, int stage) {
	if (!overlap) return;
	if (threadIdx.x == 0) {
		const uint64_t blocks = *(const volatile uint64_t *)&f->began[stage];
		while (acquired(&f->ended[stage]) < blocks) {}
	}
	__syncthreads();
}

#endif
