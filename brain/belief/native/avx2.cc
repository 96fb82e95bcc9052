//go:build !cuda

// The rays for AVX2.
#if defined(__x86_64__)
#include "dispatch.h"
#pragma GCC target("avx2")
#include <immintrin.h>

#define LANES 8
#include "lanes_avx2.h"
#include "cast.h"

DEFINE(avx2)
#endif
