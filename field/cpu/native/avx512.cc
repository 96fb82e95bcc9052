//go:build !cuda

// The evolve pass for AVX-512 (F, BW, DQ, VL).
#if defined(__x86_64__)
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#include <immintrin.h>
// GCC 12's own header is said to read an undefined register (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

#define LANES 16
#define LANE_OPERATIONS "lanes_avx512.h"
#include "kernel.h"

void fieldbrain_avx512(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
void fieldbrain_match_avx512(const float *contexts, const float *z, float *cosine) { match(contexts, z, cosine); }
float fieldbrain_peak_avx512(int32_t loops) { return peak(loops); }
float fieldbrain_toil_avx512(const Field *fd, int32_t n, const int64_t *ops, float one, float none) { return toil(fd, n, ops, one, none); }
#endif
