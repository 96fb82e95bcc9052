//go:build !cuda

// The cars for AVX-512 (F, BW, DQ, VL), eight at a time.
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#include <immintrin.h>
// GCC 12's own header is said to read an undefined register (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

#define WIDTH 8
#include "lanes.h"
INLINE bool any(I m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0; }
INLINE unsigned bits(I m) { return _mm512_movepi64_mask((__m512i)m); }
INLINE unsigned upto(V a, V b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ); }
INLINE unsigned differ(V a, V b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_NEQ_UQ); }
INLINE V root(V a) { return (V)_mm512_sqrt_pd((__m512d)a); }
INLINE V fused(V a, V b, V c) { return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }
INLINE void pack(double *to, V v, unsigned which) {
	_mm512_storeu_pd(to, _mm512_maskz_compress_pd((__mmask8)which, (__m512d)v));
}
#include "divide.h"
#define FUSED 1
#define REGISTER "v"
#include "loops.h"

DEFINE(avx512)
#endif
