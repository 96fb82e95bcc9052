// Choice of the instruction set at run time, and aligned memory.
#ifndef FIELDBRAIN_DISPATCH_H
#define FIELDBRAIN_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#include "field.h"

#ifdef __cplusplus
extern "C" {
#endif

// fieldbrain_alloc returns zeroed memory on a 64-byte boundary, or null.
void *fieldbrain_alloc(size_t size);
// fieldbrain_reserve returns zeroed memory whose pages come into being when they
// are touched, or null; fieldbrain_release gives it back.
void *fieldbrain_reserve(size_t size);
void fieldbrain_release(void *p, size_t size);
// fieldbrain_subnormals_slow says whether the machine takes several times as long for
// products that are subnormal: it multiplies, and looks at the clock.
int fieldbrain_subnormals_slow(void);
// fieldbrain_run evolves one unit; the instruction set must be supported.
void fieldbrain_run(int isa, Field *field, Scratch *scratch, int32_t unit);
// fieldbrain_match computes the cosines of a context with all patterns'.
void fieldbrain_match(int isa, const float *contexts, const float *z, float *cosine);

// fieldbrain_scale multiplies n floats in place.
void fieldbrain_scale(float *values, int64_t n, float by);
// fieldbrain_peak runs `loops` rounds of 24 vector operations of an
// instruction set and stores its lanes; the result keeps the work alive.
float fieldbrain_peak(int isa, int32_t loops, int32_t *lanes);
// fieldbrain_toil is a unit's part of the yardstick: ops are operations per cell of every
// channel, in 1024ths, 0 for one that does not run. It changes no bit of the field.
float fieldbrain_toil(int isa, const Field *field, int32_t unit, const int64_t *ops);

#ifdef __cplusplus
}
#endif

#endif
