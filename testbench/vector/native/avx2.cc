//go:build !cuda

// The cars for AVX2 and FMA, four at a time.
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("avx2,fma")
#include <immintrin.h>

#define WIDTH 4
#include "lanes.h"
INLINE bool any(I m) { return !_mm256_testz_si256((__m256i)m, (__m256i)m); }
INLINE unsigned bits(I m) { return _mm256_movemask_pd((__m256d)m); }
INLINE unsigned upto(V a, V b) { return bits(a <= b); }
INLINE unsigned differ(V a, V b) { return bits(a != b); }
INLINE V root(V a) { return (V)_mm256_sqrt_pd((__m256d)a); }
INLINE V fused(V a, V b, V c) { return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
#include "divide.h"
#define FUSED 1
#define REGISTER "x"
#include "loops.h"

DEFINE(avx2)
#endif
