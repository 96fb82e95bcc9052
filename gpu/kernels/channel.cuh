// Whole channels in and out, and the state of a new engine: not part of a tick.
#ifndef FIELDBRAIN_CHANNEL_CUH
#define FIELDBRAIN_CHANNEL_CUH

#include "cells.cuh"

// What is no channel and moves like one (field.Sheets).
enum { LEARNED = CHANNELS, RECALLED, FIRST_PATTERN };
enum {
	LEARNED_CELLS = sizeof(Predictor) / sizeof(float),
	RECALLED_CELLS = offsetof(Library, slot) / sizeof(float),
};

// Numbers is a sheet that is no channel.
struct Numbers {
	float *at;
	int n;
};

DEVICE Numbers numbers(const Brain *b, int sheet) {
	if (sheet == LEARNED) return Numbers{(float *)b->predictor, LEARNED_CELLS};
	if (sheet == RECALLED) return Numbers{(float *)b->library, RECALLED_CELLS};
	const int k = (sheet - FIRST_PATTERN) / STRATEGIC, first = (sheet - FIRST_PATTERN) % STRATEGIC * CELLS;
	const int length = b->constants->recall.first[STRATEGIC], rest = length - first;
	if (!b->constants->recall.match || k >= PATTERNS || rest <= 0) return Numbers{0, 0};
	return Numbers{b->patterns + (int64_t)k * length + first, rest < CELLS ? rest : CELLS};
}

// fieldbrain_read copies one channel's stored cells into the page, or another
// sheet.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_read(const Brain *b) {
	const int c = *b->channel & (CHANNELS - 1);
	const bool other = *b->channel >= CHANNELS;
	const Numbers from = other ? numbers(b, *b->channel) : Numbers{0, b->constants->sheets[c].size};
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < from.n; i += gridDim.x * blockDim.x)
		b->cells[i] = other ? from.at[i] : activation(b, c, i);
	__threadfence_system();
}

// forget clears what the patterns have and the library that is about to be written
// does not keep: what is not kept is 0.
DEVICE void forget(const Brain *b) {
	const int *first = b->constants->recall.first;
	const volatile float *kept = b->cells + offsetof(Library, kept) / sizeof(float);
	for (int k = 0; k < PATTERNS; k++) {
		const int gone = (int)b->library->kept[k] & ~(int)kept[k];
		for (int j = 0; j < STRATEGIC; j++)
			for (int i = threadIdx.x; (gone >> j & 1) && i < first[j + 1] - first[j]; i += blockDim.x)
				b->patterns[(int64_t)k * first[STRATEGIC] + first[j] + i] = 0;
	}
}

// assign sets a sheet that is no channel. A library begins new slots.
DEVICE void assign(const Brain *b, int sheet) {
	const Numbers to = numbers(b, sheet);
	const bool library = sheet == RECALLED;
	if (library && b->constants->recall.match) forget(b);
	__syncthreads();
	for (int i = threadIdx.x; i < to.n; i += blockDim.x) to.at[i] = b->cells[i];
	for (int i = RECALLED_CELLS + threadIdx.x; library && i < (int)(sizeof(Library) / sizeof(float)); i += blockDim.x)
		((float *)b->library)[i] = 0;
}

// set writes one present activation; halves are rounded by an even chance.
DEVICE void set(const Brain *b, const Sheet *s, int c, int i, float v) {
	int now = b->flip[c];
	if (halved(b, s)) b->half[now][s->offset + i] = to_half(v, 0x1000);
	else b->u[now][s->offset + i] = v;
}

// fieldbrain_write sets one channel from the page and sums its outputs; a map
// also gets its working copy. Or it sets another sheet. One block.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_write(const Brain *b) {
	FIELDBRAIN_STATIC_SHARED(int, sums, WORDS);
	if (*b->channel >= CHANNELS) {
		assign(b, *b->channel);
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
	if (c == 2) {
		for (int i = threadIdx.x; i < (int)(sizeof(Library) / sizeof(float)); i += blockDim.x) ((float *)b->library)[i] = 0;
		__syncthreads();
		if (threadIdx.x < 3) b->library->best.index[threadIdx.x] = -1;
		if (threadIdx.x <= STRATEGIC) b->library->shelf[threadIdx.x] = (float)b->constants->recall.first[threadIdx.x];
	}
	if (c != 0) return;
	b->frame->obstacle[threadIdx.x] = b->frame->hazard[threadIdx.x] = b->frame->visited[threadIdx.x] = 0;
}

#endif
