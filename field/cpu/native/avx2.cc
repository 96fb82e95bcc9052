//go:build !cuda

// The evolve pass for AVX2 (and FMA, which came with it).
#if defined(__x86_64__)
#pragma GCC target("avx2,fma")
#include <immintrin.h>

#define LANES 8
#define LANE_OPERATIONS "lanes_avx2.h"
#include "kernel.h"

void fieldbrain_avx2(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
void fieldbrain_match_avx2(const float *contexts, const float *z, float *cosine) { match(contexts, z, cosine); }
float fieldbrain_peak_avx2(int32_t loops) { return peak(loops); }
float fieldbrain_toil_avx2(const Field *fd, int32_t n, const int64_t *ops, float one, float none) { return toil(fd, n, ops, one, none); }
#endif
