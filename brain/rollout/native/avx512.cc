//go:build !cuda

// The drives for AVX-512 (F, BW, DQ, VL), sixteen at a time.
#if defined(__x86_64__)
#include "job.h"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#include <immintrin.h>
// GCC 12's own header is said to read an undefined register (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

#define WIDTH 16
#include "lanes.h"
INLINE V root(V a) { return (V)_mm512_sqrt_ps((__m512)a); }
INLINE U gather(const uint32_t *map, I at) { return (U)_mm512_i32gather_epi32((__m512i)at, map, 4); }
#include "drive.h"

DEFINE(avx512)
#endif
