//go:build !cuda

// The drives for AVX2, eight at a time.
#if defined(__x86_64__)
#include "job.h"
#pragma GCC target("avx2")
#include <immintrin.h>

#define WIDTH 8
#include "lanes.h"
INLINE V root(V a) { return (V)_mm256_sqrt_ps((__m256)a); }
INLINE U gather(const uint32_t *map, I at) { return (U)_mm256_i32gather_epi32((const int *)map, (__m256i)at, 4); }
#include "drive.h"

DEFINE(avx2)
#endif
