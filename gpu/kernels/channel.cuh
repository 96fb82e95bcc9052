// Whole channels in and out, and the state of a new engine: not part of a tick.
#ifndef FIELDBRAIN_CHANNEL_CUH
#define FIELDBRAIN_CHANNEL_CUH

#include "cells.cuh"

enum { LEARNED = CHANNELS, LEARNED_CELLS = sizeof(Predictor) / sizeof(float) }; // in place of a channel

// fieldbrain_read copies one channel's stored cells into the page, or what was
// learned.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_read(const Brain *b) {
	const int c = *b->channel & (CHANNELS - 1);
	const bool learned = *b->channel == LEARNED;
	const int n = learned ? LEARNED_CELLS : b->constants->sheets[c].size;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		b->cells[i] = learned ? ((const float *)b->predictor)[i] : activation(b, c, i);
	__threadfence_system();
}

// set writes one present activation; halves are rounded by an even chance.
DEVICE void set(const Brain *b, const Sheet *s, int c, int i, float v) {
	int now = b->flip[c];
	if (halved(b, s)) b->half[now][s->offset + i] = to_half(v, 0x1000);
	else b->u[now][s->offset + i] = v;
}

// fieldbrain_write sets one channel from the page and sums its outputs; a map
// also gets its working copy. Or it sets what was learned. One block.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_write(const Brain *b) {
	FIELDBRAIN_STATIC_SHARED(int, sums, WORDS);
	if (*b->channel == LEARNED) {
		for (int i = threadIdx.x; i < LEARNED_CELLS; i += blockDim.x) ((float *)b->predictor)[i] = b->cells[i];
		return;
	}
	const int c = *b->channel & (CHANNELS - 1);
	const Sheet *s = &b->constants->sheets[c];
	for (int i = threadIdx.x; i < WORDS; i += blockDim.x) sums[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < s->size; i += blockDim.x) {
		set(b, s, c, i, b->cells[i]);
		int q = output(activation(b, c, i), s->kind == AMARI), r = i % SIDE, row = i / SIDE % s->extent[1], a = i / SIDE / s->extent[1];
		if (q == 0) continue;
		if (s->mask & AXIS_X) atomicAdd(&sums[coordinate(s, AXIS_X, a, row, r)], q);
		if (s->mask & AXIS_Y) atomicAdd(&sums[SIDE + coordinate(s, AXIS_Y, a, row, r)], q);
		if (s->mask & AXIS_Z) atomicAdd(&sums[2 * SIDE + coordinate(s, AXIS_Z, a, row, r)], q);
		atomicAdd(&sums[3 * SIDE], q);
	}
	__syncthreads();
	if (threadIdx.x < WORDS) ((int32_t *)&b->marginals[c])[threadIdx.x] = sums[threadIdx.x] / s->repeats;
	if (s->kind != MAPPING) return;
	int at[3];
	spread(threadIdx.x, AXIS_X | AXIS_Y, at);
	float *map = c == HAZARD_MAP ? b->frame->hazard : c == VISITED_MAP ? b->frame->visited : b->frame->obstacle;
	map[threadIdx.x] = b->cells[place(s, at)];
}

// fieldbrain_rest puts every channel to rest and forgets. One block per channel.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_rest(const Brain *b) {
	const int c = blockIdx.x;
	const Sheet *s = &b->constants->sheets[c];
	if (threadIdx.x == 0) b->flip[c] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < s->size; i += blockDim.x) set(b, s, c, i, b->constants->coef[0][c].resting);
	if (threadIdx.x < WORDS) {
		((int32_t *)&b->marginals[c])[threadIdx.x] = 0;
		((int32_t *)&b->sums[c])[threadIdx.x] = 0;
	}
	if (c == 1)
		for (int i = threadIdx.x; i < LEARNED_CELLS; i += blockDim.x) ((float *)b->predictor)[i] = 0;
	if (c != 0) return;
	b->frame->obstacle[threadIdx.x] = b->frame->hazard[threadIdx.x] = b->frame->visited[threadIdx.x] = 0;
}

#endif
