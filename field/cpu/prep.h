// Loops of the preparation, see field.Loops. Nothing here knows an instruction set, so
// that a change does not build the evolve pass anew (docs/decisions/0006).
#ifndef FIELDBRAIN_PREP_H
#define FIELDBRAIN_PREP_H

#include <stdint.h>

enum { SIDE = 32, PLANE = SIDE * SIDE, NUM_SENSES = 64, REGRESSORS = 3 * NUM_SENSES + 1, ONE = 1 << 15 };

// field.Eye
typedef struct {
	float near[SIDE], far[SIDE], between[SIDE], spread_on[7], spread_off[7];
} Eye;

// field.Glance
typedef struct {
	float blocked[SIDE], hazard[SIDE], visited[SIDE];
} Glance;

// field.Projection
typedef struct {
	int32_t extent[3], sum[3], stride[3], thick, scale;
} Projection;

// The planes of field.Maps, and the places of field.Warp.
typedef struct {
	float *obstacle, *hazard, *visited;
} Planes;
typedef struct {
	int32_t *x0, *y0;
	float *wx, *wy;
} Places;

#ifdef __cplusplus
extern "C" {
#endif
void fieldbrain_displace(const Places *, const float *sin, const float *cos, const float *near, float forward, float shift);
void fieldbrain_carry(const Planes *, const Places *);
void fieldbrain_fade(const Planes *, float visit, int32_t bins, const float *keep);
void fieldbrain_look(const Planes *, const Eye *, Glance *);
void fieldbrain_learn(float *w, const float *r, const float *gain, const float *known, float decay);
void fieldbrain_expect(const float *w, const float *r, float *hat);
void fieldbrain_project(float *dst, const uint16_t *outputs, const Projection *);
#ifdef __cplusplus
}
#endif

#endif
