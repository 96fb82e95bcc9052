//go:build !cuda

// The drives for SSE4.1, four at a time.
#if defined(__x86_64__)
#include "job.h"
#pragma GCC target("sse4.1")
#include <immintrin.h>

#define WIDTH 4
#include "lanes.h"
INLINE V root(V a) { return (V)_mm_sqrt_ps((__m128)a); }
INLINE U gather(const uint32_t *map, I at) { return one_by_one(map, at); }
#include "drive.h"

DEFINE(sse)
#endif
