// Code generated from the Go sources by gpu/kernels/header. DO NOT EDIT.
//
// What one tick reads besides the field itself, on the processor.
#ifndef FIELDBRAIN_FRAME_H
#define FIELDBRAIN_FRAME_H

#include "shared.h"

enum { PADDED_CELLS = 1155 };

// field.Warp
typedef struct {
	int32_t active, x0[PLANE], y0[PLANE];
	float wx[PLANE], wy[PLANE];
	int32_t turn;
	float w_turn;
} Warp;
static_assert(sizeof(Warp) == 16396, "Warp");

// field.Maps
typedef struct {
	float obstacle[PLANE], hazard[PLANE], visited[PLANE], old[3][PADDED_CELLS];
} Maps;
static_assert(sizeof(Maps) == 26148, "Maps");

// field.Frame
typedef struct {
	Coef coef[CHANNELS];
	int32_t run[CHANNELS];
	uint32_t tick_key;
	int32_t num_couplings, start[CHANNELS + 1], index[MAX_ROWS];
	float amp[MAX_ROWS];
	Row rows[MAX_ROWS][3];
	int32_t to[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS], proj[MAX_COUPLINGS][PLANE];
	Lead leads[LEADS];
	Warp warp;
	Maps maps;
} Frame;
static_assert(sizeof(Frame) == 122948, "Frame");

#endif
