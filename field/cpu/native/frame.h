// The memory that Go and the kernels share. Every struct mirrors one of
// package field (frame.go, coef.go, warp.go, maps.go, engine.go) or of
// native.go; a test compares sizes and offsets.
#ifndef FIELDBRAIN_FRAME_H
#define FIELDBRAIN_FRAME_H

#include <stdint.h>

enum { SIDE = 32, PLANE = SIDE * SIDE, CELLS = SIDE * PLANE, CHANNELS = 64, ONE = 32768 };
enum { MAX_TERMS = 96, MAX_SPOTS = 16, MAX_ROWS = MAX_TERMS + 1 + MAX_SPOTS, MAX_COUPLINGS = 8, LEADS = 6 };
enum { CONTEXT = 64, PATTERN_ROW = 128, MAX_PATTERNS = 100 };
enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4 };
enum { AMARI, LINEAR, MEMORY, LEAKY, MAPPING };

typedef struct {
	float alpha, nu, resting, excite, inhibit, global_, preshape, noise, keep, lead;
} Coef;

typedef struct {
	int32_t active;
	int32_t x0[PLANE], y0[PLANE];
	float wx[PLANE], wy[PLANE];
	int32_t turn;
	float wturn;
} Warp;

typedef struct {
	float rate, pull, weight[3];
	int32_t from[3];
} Lead;

typedef struct {
	float obstacle[PLANE], hazard[PLANE], visited[PLANE];
	float padded[3][(SIDE + 1) * (SIDE + 3)]; // scratch of the preparation
} Maps;

typedef struct {
	Coef coef[CHANNELS];
	int32_t run[CHANNELS];
	uint32_t tick_key;
	int32_t num_couplings;
	int32_t start[CHANNELS + 1];
	int32_t index[MAX_ROWS];
	float amp[MAX_ROWS];
	float rows[MAX_ROWS][3][SIDE];
	int32_t to[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS];
	float proj[MAX_COUPLINGS][PLANE];
	Lead leads[LEADS];
	Warp warp;
	Maps maps;
} Frame;

typedef struct {
	int32_t x[SIDE], y[SIDE], z[SIDE], total;
} Marginal;

// Sheet is one channel: its rule and how it lies in memory (field.Slots).
typedef struct {
	int32_t kind, mask, egocentric, source, trace, noisy;
	int32_t axis[3], extent[3], local[3], key[3], pack[3];
	int32_t offset, size, repeats;
} Sheet;

// Field is everything one engine's kernels see.
typedef struct {
	float *u;         // activations, 64-byte aligned
	uint16_t *f;      // outputs in Q15
	Marginal *marginals;
	int32_t *still;
	int32_t *units;   // channels of all units, one unit after the other
	int32_t first[CHANNELS + 1];
	int32_t dense;
	Sheet sheets[CHANNELS];
	Frame *frame;
	const float *patterns;
} Field;

// The stages of the evolve pass, for the breakdown of the benchmark.
enum { STAGE_MOVE, STAGE_LATERAL, STAGE_ROWS, STAGE_TRACES, STAGES };

// Scratch is what one worker needs while it evolves one channel. The clock's
// ticks per stage are counted only while timing is set.
typedef struct {
	uint64_t ticks[STAGES];
	uint64_t timing;
	float edge[16], u[CELLS], rim[16]; // a row may be read one cell beyond its ends
	uint16_t f[CELLS], e[CELLS], i[CELLS], tmp[CELLS];
} Scratch;

#ifdef __cplusplus
extern "C" {
#endif
void fieldbrain_sse(Field *, Scratch *, int32_t unit);
void fieldbrain_avx2(Field *, Scratch *, int32_t unit);
void fieldbrain_avx512(Field *, Scratch *, int32_t unit);
void fieldbrain_neon(Field *, Scratch *, int32_t unit);
float fieldbrain_peak_sse(int32_t loops);
void fieldbrain_match_sse(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_avx2(int32_t loops);
void fieldbrain_match_avx2(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_avx512(int32_t loops);
void fieldbrain_match_avx512(const float *contexts, const float *z, float *cosine);
float fieldbrain_peak_neon(int32_t loops);
void fieldbrain_match_neon(const float *contexts, const float *z, float *cosine);
#ifdef __cplusplus
}
#endif

#endif
