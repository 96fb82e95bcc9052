//go:build !cuda

// The evolve pass for NEON.
#if defined(__aarch64__)
#include <arm_neon.h>

#define LANES 4
#define LANE_OPERATIONS "lanes_neon.h"
#define LANE_POINT "point_neon.h"
#define LANE_LINES "lines_neon.h"
#include "kernel.h"

void fieldbrain_neon(Field *fd, Scratch *w, int32_t n) { unit(fd, w, n); }
void fieldbrain_match_neon(const float *contexts, const float *z, float *cosine) { match(contexts, z, cosine); }
float fieldbrain_peak_neon(int32_t loops) { return peak(loops); }
float fieldbrain_toil_neon(const Field *fd, int32_t n, const int64_t *ops, float one, float none) { return toil(fd, n, ops, one, none); }
#endif
