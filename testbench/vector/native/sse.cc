//go:build !cuda

// The cars for SSE4.1, two at a time.
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("sse4.1")
#include <immintrin.h>

#define WIDTH 2
#include "lanes.h"
INLINE unsigned bits(I m) { return _mm_movemask_pd((__m128d)m); }
INLINE unsigned upto(V a, V b) { return bits(a <= b); }
INLINE unsigned differ(V a, V b) { return bits(a != b); }
INLINE V root(V a) { return (V)_mm_sqrt_pd((__m128d)a); }
INLINE V fused(V a, V b, V c) { return a * b + c; } // for nearly.h, whose bounds have room for it
INLINE V over(V a, double c, double, double) { return a / splat(c); }
#define FUSED 2
#define REGISTER "x"
#include "loops.h"

DEFINE(sse)
#endif
