//go:build !cuda

// The rays for SSE4.1.
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("sse4.1")
#include <immintrin.h>

#define LANES 4
#include "lanes_four.h"
static inline vi products(vi a, vi b) { return (vi)_mm_mulhrs_epi16((__m128i)a, (__m128i)b); }
#include "cast.h"

DEFINE(sse)
#endif
