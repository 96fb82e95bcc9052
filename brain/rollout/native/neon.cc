//go:build !cuda

// The drives for NEON, four at a time.
#if defined(__aarch64__)
#include "job.h"
#include <arm_neon.h>

#define WIDTH 4
#include "lanes.h"
INLINE V root(V a) { return (V)vsqrtq_f32((float32x4_t)a); }
INLINE U gather(const uint32_t *map, I at) { return one_by_one(map, at); }
#include "drive.h"

DEFINE(neon)
#endif
