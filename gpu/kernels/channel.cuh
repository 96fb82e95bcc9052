// Whole sections in and out, and the state of a new engine: not part of a tick.
//
// Launch: blocks of 1024 threads; 8 read, one writes, because it also sums the
// outputs, and one per channel puts to rest. Memory: 4 bytes per stored cell, at most
// 131 kB, read on the device and written to the host or the other way.
#ifndef FIELDBRAIN_CHANNEL_CUH
#define FIELDBRAIN_CHANNEL_CUH

#include "cells.cuh"

enum {
	PREDICTOR_CELLS = sizeof(Predictor) / sizeof(float),
	LIBRARY_CELLS = offsetof(Library, episode) / sizeof(float), // the episodes stay
};

// Numbers are a section that is no channel (field.Section).
struct Numbers {
	float *at;
	int n;
};

DEVICE Numbers numbers(const Memory *mem, int section) {
	if (section == PREDICTOR_SECTION) return Numbers{(float *)mem->predictor, PREDICTOR_CELLS};
	if (section == LIBRARY_SECTION) return Numbers{(float *)mem->library, LIBRARY_CELLS};
	const int k = (section - FIRST_PATTERN) / STRATEGIC, first = (section - FIRST_PATTERN) % STRATEGIC * CELLS;
	const int length = mem->constants->recall.first[STRATEGIC], rest = length - first;
	if (!mem->constants->recall.match || k >= MAX_PATTERNS || rest <= 0) return Numbers{0, 0};
	return Numbers{mem->patterns + (int64_t)k * length + first, rest < CELLS ? rest : CELLS};
}

// fieldbrain_read copies one channel's stored cells into the page, or another
// section.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_read(const Memory *mem) {
	const int c = *mem->channel & (CHANNELS - 1);
	const bool other = *mem->channel >= CHANNELS;
	const Numbers from = other ? numbers(mem, *mem->channel) : Numbers{0, mem->constants->channels[c].size};
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < from.n; i += gridDim.x * blockDim.x)
		mem->cells[i] = other ? from.at[i] : activation(mem, c, i);
	__threadfence_system();
}

// forget clears the channels that a pattern has and the library about to be written
// does not keep: a channel that is not kept is 0.
DEVICE void forget(const Memory *mem) {
	const int *first = mem->constants->recall.first;
	const volatile float *kept = mem->cells + offsetof(Library, kept) / sizeof(float);
	for (int k = 0; k < MAX_PATTERNS; k++) {
		const int gone = (int)mem->library->kept[k] & ~(int)kept[k];
		for (int j = 0; j < STRATEGIC; j++)
			for (int i = threadIdx.x; (gone >> j & 1) && i < first[j + 1] - first[j]; i += blockDim.x)
				mem->patterns[(int64_t)k * first[STRATEGIC] + first[j] + i] = 0;
	}
}

// assign sets a section that is no channel. A library begins without episodes.
DEVICE void assign(const Memory *mem, int section) {
	const Numbers to = numbers(mem, section);
	const bool library = section == LIBRARY_SECTION;
	if (library && mem->constants->recall.match) forget(mem);
	__syncthreads();
	for (int i = threadIdx.x; i < to.n; i += blockDim.x) to.at[i] = mem->cells[i];
	for (int i = LIBRARY_CELLS + threadIdx.x; library && i < (int)(sizeof(Library) / sizeof(float)); i += blockDim.x)
		((float *)mem->library)[i] = 0;
}

// set writes one present activation; halves are rounded by an even chance.
DEVICE void set(const Memory *mem, const PlacedChannel *s, int c, int i, float v) {
	int now = mem->flip[c];
	if (halved(mem, s)) mem->half[now][s->offset + i] = to_half(v, 0x1000);
	else mem->u[now][s->offset + i] = v;
}

// fieldbrain_write sets one channel from the page and sums its outputs; a map
// also gets its working copy. Or it sets another section. One block.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_write(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(int, sums, WORDS);
	if (*mem->channel >= CHANNELS) {
		assign(mem, *mem->channel);
		return;
	}
	const int c = *mem->channel & (CHANNELS - 1);
	const PlacedChannel *s = &mem->constants->channels[c];
	for (int i = threadIdx.x; i < WORDS; i += blockDim.x) sums[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < s->size; i += blockDim.x) {
		set(mem, s, c, i, mem->cells[i]);
		int q = output(activation(mem, c, i), s->kind == AMARI), r = i % SIDE, row = i / SIDE % s->extent[1], a = i / SIDE / s->extent[1];
		if (q == 0) continue;
		if (s->mask & AXIS_X) atomicAdd(&sums[coordinate(s, AXIS_X, a, row, r)], q);
		if (s->mask & AXIS_Y) atomicAdd(&sums[SIDE + coordinate(s, AXIS_Y, a, row, r)], q);
		if (s->mask & AXIS_Z) atomicAdd(&sums[2 * SIDE + coordinate(s, AXIS_Z, a, row, r)], q);
		atomicAdd(&sums[3 * SIDE], q);
	}
	__syncthreads();
	if (threadIdx.x < WORDS) ((int32_t *)&mem->marginals[c])[threadIdx.x] = sums[threadIdx.x] / s->repeats;
	if (s->kind != MAPPING) return;
	int at[3];
	spread(threadIdx.x, AXIS_X | AXIS_Y, at);
	float *map = c == HAZARD_MAP ? mem->frame->hazard : c == VISITED_MAP ? mem->frame->visited : mem->frame->obstacle;
	map[threadIdx.x] = mem->cells[place(s, at)];
}

// fieldbrain_rest puts every channel to rest and forgets. One block per channel.
extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_rest(const Memory *mem) {
	const int c = blockIdx.x;
	const PlacedChannel *s = &mem->constants->channels[c];
	if (threadIdx.x == 0) mem->flip[c] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < s->size; i += blockDim.x) set(mem, s, c, i, mem->constants->coef[0][c].resting);
	if (threadIdx.x < WORDS) {
		((int32_t *)&mem->marginals[c])[threadIdx.x] = 0;
		((int32_t *)&mem->sums[c])[threadIdx.x] = 0;
	}
	if (c == 1)
		for (int i = threadIdx.x; i < PREDICTOR_CELLS; i += blockDim.x) ((float *)mem->predictor)[i] = 0;
	if (c == 2) {
		for (int i = threadIdx.x; i < (int)(sizeof(Library) / sizeof(float)); i += blockDim.x) ((float *)mem->library)[i] = 0;
		__syncthreads();
		if (threadIdx.x < 3) mem->library->best.index[threadIdx.x] = -1;
		if (threadIdx.x <= STRATEGIC) mem->library->shelf[threadIdx.x] = (float)mem->constants->recall.first[threadIdx.x];
	}
	if (c != 0) return;
	mem->frame->obstacle[threadIdx.x] = mem->frame->hazard[threadIdx.x] = mem->frame->visited[threadIdx.x] = 0;
}

#endif
