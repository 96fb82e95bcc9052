//go:build !cuda

#include "dispatch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

void *fieldbrain_alloc(size_t size) {
	const size_t huge = 2 << 20;
	size_t align = size >= huge ? huge : 64;
	size = (size + align - 1) / align * align;
	void *p = aligned_alloc(align, size);
	if (!p) return 0;
	if (align == huge) madvise(p, size, MADV_HUGEPAGE); // a wish: fewer page walks where it is granted
	memset(p, 0, size);
	return p;
}

void *fieldbrain_reserve(size_t size) {
	void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? 0 : p;
}

void fieldbrain_release(void *p, size_t size) { munmap(p, size); }

// multiplied returns the nanoseconds of 4096 products with a number near 1, the least of
// several tries: whatever interrupts one makes it longer.
static int64_t multiplied(float by) {
	enum { NUMBERS = 64, TURNS = 64, TRIES = 9 };
	float from[NUMBERS], to[NUMBERS];
	int64_t least = INT64_MAX;
	for (int i = 0; i < NUMBERS; i++) from[i] = 1 + i * 0x1p-7f;
	for (int n = 0; n < TRIES; n++) {
		struct timespec begin, end;
		clock_gettime(CLOCK_MONOTONIC, &begin);
		for (int turn = 0; turn < TURNS; turn++) {
			for (int i = 0; i < NUMBERS; i++) to[i] = from[i] * by;
			__asm__ volatile("" : : "r"(from), "r"(to) : "memory"); // somebody may read or change them
		}
		clock_gettime(CLOCK_MONOTONIC, &end);
		const int64_t took = (end.tv_sec - begin.tv_sec) * INT64_C(1000000000) + end.tv_nsec - begin.tv_nsec;
		least = took < least ? took : least;
	}
	return least;
}

int fieldbrain_subnormals_slow(void) { return multiplied(0x1p-130f) > 4 * (multiplied(0.5f) + 1); }

void fieldbrain_run(int isa, Field *field, Scratch *scratch, int32_t unit) {
#if defined(__x86_64__)
	switch (isa) {
	case 0: fieldbrain_sse(field, scratch, unit); break;
	case 1: fieldbrain_avx2(field, scratch, unit); break;
	case 2: fieldbrain_avx512(field, scratch, unit); break;
	}
#elif defined(__aarch64__)
	fieldbrain_neon(field, scratch, unit);
#endif
}

void fieldbrain_match(int isa, const float *contexts, const float *z, float *cosine) {
#if defined(__x86_64__)
	switch (isa) {
	case 0: fieldbrain_match_sse(contexts, z, cosine); break;
	case 1: fieldbrain_match_avx2(contexts, z, cosine); break;
	case 2: fieldbrain_match_avx512(contexts, z, cosine); break;
	}
#elif defined(__aarch64__)
	fieldbrain_match_neon(contexts, z, cosine);
#endif
}

float fieldbrain_peak(int isa, int32_t loops, int32_t *lanes) {
#if defined(__x86_64__)
	switch (isa) {
	case 1: *lanes = 8; return fieldbrain_peak_avx2(loops);
	case 2: *lanes = 16; return fieldbrain_peak_avx512(loops);
	}
	*lanes = 4;
	return fieldbrain_peak_sse(loops);
#elif defined(__aarch64__)
	*lanes = 4;
	return fieldbrain_peak_neon(loops);
#else
	*lanes = 1;
	return 0;
#endif
}

float fieldbrain_toil(int isa, const Field *field, int32_t unit, const int64_t *ops) {
	volatile float one = 1, none = 0; // no compiler knows what they are
#if defined(__x86_64__)
	switch (isa) {
	case 0: return fieldbrain_toil_sse(field, unit, ops, one, none);
	case 1: return fieldbrain_toil_avx2(field, unit, ops, one, none);
	case 2: return fieldbrain_toil_avx512(field, unit, ops, one, none);
	}
#elif defined(__aarch64__)
	return fieldbrain_toil_neon(field, unit, ops, one, none);
#endif
	return one;
}

// Plain loops of this size are bound by memory with any instruction set.
__attribute__((optimize("O3"))) void fieldbrain_scale(float *values, int64_t n, float by) {
	for (int64_t i = 0; i < n; i++) values[i] *= by;
}
