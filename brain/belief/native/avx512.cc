//go:build !cuda

// The rays for AVX-512 (F, BW, DQ, VL).
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#include <immintrin.h>
// GCC 12's own header is said to read an undefined register (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#define LANES 16
#include "lanes_avx512.h"
#include "cast.h"

DEFINE(avx512)
#endif
