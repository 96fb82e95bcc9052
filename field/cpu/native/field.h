// The memory of one engine's kernels, and their entries, one per instruction set.
#ifndef FIELDBRAIN_FIELD_H
#define FIELDBRAIN_FIELD_H

#include "frame.h"

// Field is all that one engine's kernels work on.
typedef struct {
	float *u;         // activations, 64-byte aligned
	uint16_t *f;      // outputs in Q15
	Marginal *marginals;
	int32_t *still;
	int32_t *units;   // channels of all units, one unit after the other
	int32_t first[CHANNELS + 1];
	int32_t count, workers; // units, and how many workers claim them
	int32_t dense;
	int32_t dots;           // whether the processor adds products of 16-bit lanes in one instruction
	int32_t subnormals_slow; // whether input.h leaves subnormal products out
	PlacedChannel channels[CHANNELS];
	Frame *frame;
	const float *patterns;
} Field;

// The stages of the evolve pass, for the breakdown of the benchmark.
enum { STAGE_MOVE, STAGE_LATERAL, STAGE_ROWS, STAGE_TRACES, STAGES };

// Scratch is the memory of one worker while it evolves one channel. The clock's
// ticks per stage are counted only while timing is set.
typedef struct {
	uint64_t ticks[STAGES];
	uint64_t timing;
	float u[CELLS] __attribute__((aligned(64))); // no row lies in three lines of the cache
	uint16_t f[CELLS], e[CELLS], i[CELLS];
} Scratch;

#ifdef __cplusplus
extern "C" {
#endif
void fieldbrain_sse(Field *, Scratch *, int32_t unit);
void fieldbrain_avx2(Field *, Scratch *, int32_t unit);
void fieldbrain_avx512(Field *, Scratch *, int32_t unit);
void fieldbrain_neon(Field *, Scratch *, int32_t unit);
float fieldbrain_peak_sse(int32_t loops);
float fieldbrain_toil_sse(const Field *, int32_t unit, const int64_t *ops, float one, float none);
void fieldbrain_match_sse(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_avx2(int32_t loops);
float fieldbrain_toil_avx2(const Field *, int32_t unit, const int64_t *ops, float one, float none);
void fieldbrain_match_avx2(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_avx512(int32_t loops);
float fieldbrain_toil_avx512(const Field *, int32_t unit, const int64_t *ops, float one, float none);
void fieldbrain_match_avx512(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_neon(int32_t loops);
float fieldbrain_toil_neon(const Field *, int32_t unit, const int64_t *ops, float one, float none);
void fieldbrain_match_neon(const float *contexts, const float *z, float *cosine);
#ifdef __cplusplus
}
#endif

#endif
