//go:build !cuda

// The rays for NEON.
#if defined(__aarch64__)
#include "dispatch.h"
#include <arm_neon.h>

#define LANES 4
#include "lanes_four.h"
static inline vi products(vi a, vi b) { return (vi)vqrdmulhq_s16((int16x8_t)a, (int16x8_t)b); }
#include "cast.h"

DEFINE(neon)
#endif
