//go:build !cuda

// The evolve pass for SSE4.1 (any x86-64 of the last fifteen years).
#if defined(__x86_64__)
#pragma GCC target("sse4.1")
#include <immintrin.h>

#define LANES 4
#define LANE_OPERATIONS "lanes_sse.h"
#include "kernel.h"

void fieldbrain_sse(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
void fieldbrain_match_sse(const float *contexts, const float *z, float *cosine) { match(contexts, z, cosine); }
float fieldbrain_peak_sse(int32_t loops) { return peak(loops); }
float fieldbrain_toil_sse(const Field *fd, int32_t n, const int64_t *ops, float one, float none) { return toil(fd, n, ops, one, none); }
#endif
