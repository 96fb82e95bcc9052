//go:build !cuda

// The cars for NEON, two at a time.
#if defined(__aarch64__)
#include "dispatch.h"
#include <arm_neon.h>

#define WIDTH 2
#include "lanes.h"
INLINE unsigned bits(I m) { return (unsigned)(m[0] & 1) | (unsigned)(m[1] & 2); }
INLINE unsigned upto(V a, V b) { return bits(a <= b); }
INLINE unsigned differ(V a, V b) { return bits(a != b); }
INLINE V root(V a) { return (V)vsqrtq_f64((float64x2_t)a); }
INLINE V fused(V a, V b, V c) { return (V)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b); }
#include "divide.h"
#define FUSED 1
#define REGISTER "w"
#include "loops.h"

DEFINE(neon)
#endif
