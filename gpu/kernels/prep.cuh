// K1: everything about a tick that does not touch each cell of the field
// (field/prep.go and what it calls). One block for the maps and the heading
// input, one for the stimuli, one per coupling, one per displaced channel; the
// blocks do not read what others write.
#ifndef FIELDBRAIN_PREP_CUH
#define FIELDBRAIN_PREP_CUH

#include "maps.cuh"
#include "motion.cuh"

enum { MAPS_BLOCK, TERMS_BLOCK, FIRST_COUPLING, FIRST_MOVED = FIRST_COUPLING + MAX_COUPLINGS };

// fetch copies the input from the page, where each read costs a journey to the
// host, once and side by side.
DEVICE void fetch(const Brain *b, Input *in) {
	const volatile uint64_t *from = (const volatile uint64_t *)b->in;
	for (int i = threadIdx.x; i < (int)(sizeof(Input) / 8); i += blockDim.x) ((uint64_t *)in)[i] = from[i];
	__syncthreads();
}

// every is the update period of a channel in ticks.
DEVICE int every(const Input *in, const Sheet *s) {
	switch (s->every) {
	case EVERY_PERCEPTION: return (int)in->perception;
	case EVERY_TRACES: return (int)in->traces;
	case EVERY_ASSOCIATIVE: return (int)in->associative;
	}
	return 1;
}

// schedule decides which channels run and with which rates.
DEVICE void schedule(const Brain *b, const Input *in) {
	Frame *f = b->frame;
	int c = threadIdx.x;
	if (c < CHANNELS) {
		int n = every(in, &b->constants->sheets[c]);
		f->run[c] = in->tick % n == 0;
		f->coef[c] = c == HEADING && in->drive.on_line ? b->constants->line_coef
													  : b->constants->coef[n < 2 ? 0 : n < 4 ? 1 : n < 8 ? 2 : 3][c];
	}
	if (c == CHANNELS) {
		f->tick_key = mix((uint32_t)in->tick ^ mix((uint32_t)(in->tick >> 32) ^ b->constants->key));
		f->not_finite = 0;
		f->moving = limited(in->forward, 1) != 0 || limited(in->turn, (float)(2 * PI)) != 0;
	}
}

// terms sorts the stimuli by channel, keeping their order, and draws their
// profiles. The heading input is the last term of its channel.
DEVICE void terms(const Brain *b, const Input *in) {
	Frame *f = b->frame;
	int i = threadIdx.x, n = (int)in->num_terms;
	if (i <= CHANNELS) {
		int count = i > HEADING;
		for (int j = 0; j < n; j++) count += (int)in->terms[j].channel < i;
		f->start[i] = count;
		if (i == HEADING + 1) f->index[count - 1] = MAX_TERMS;
	}
	if (i < n) {
		int c = (int)in->terms[i].channel, at = c > HEADING;
		for (int j = 0; j < n; j++) at += in->terms[j].channel < c || (in->terms[j].channel == c && j < i);
		f->index[at] = i;
		f->amp[i] = in->terms[i].a;
	}
	if (i < 3 * n) {
		const Term *t = &in->terms[i / 3];
		int axis = i % 3;
		bool local = b->constants->sheets[t->channel & (CHANNELS - 1)].mask >> axis & 1;
		gaussian(f->rows[i / 3][axis], t->centre[axis], local ? t->sigma[axis] : 0, axis == 0);
	}
	if (i == 3 * MAX_TERMS) f->amp[MAX_TERMS] = 1;
	if (i < SIDE) f->rows[MAX_TERMS][1][i] = f->rows[MAX_TERMS][2][i] = 1;
}

// couple projects one source's present outputs onto its target: summed over the
// axes that only the source has, repeated along those that only the target has.
DEVICE void couple(const Brain *b, int n, int *bins) {
	if (n >= b->constants->num_couplings) return;
	const Coupling k = b->constants->couplings[n];
	const Sheet *from = &b->constants->sheets[k.from];
	int to = b->constants->sheets[k.to].mask, shared = from->mask & to;
	if (b->marginals[k.from].total == 0) {
		if (threadIdx.x == 0) b->frame->weight[n] = 0;
		return;
	}
	for (int i = threadIdx.x; i < distinct(shared); i += blockDim.x) bins[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < distinct(from->mask); i += blockDim.x) {
		int at[3];
		spread(i, from->mask, at);
		int q = present(b, k.from, place(from, at));
		if (q != 0) atomicAdd(&bins[pack(at, shared)], q);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < distinct(to); i += blockDim.x) {
		int at[3];
		spread(i, to, at);
		int sum = bins[pack(at, shared)];
		b->frame->proj[n][i] = mul((float)(sum < ONE ? sum : ONE), 1.0f / ONE);
	}
	if (threadIdx.x == 0) b->frame->weight[n] = k.weight;
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_prep(const Brain *b) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(int, bins, PLANE);
	FIELDBRAIN_STATIC_SHARED(MapScratch, maps, 1);
	int block = blockIdx.x;
	if (block >= FIRST_COUPLING && block < FIRST_MOVED) {
		couple(b, block - FIRST_COUPLING, bins);
		return;
	}
	Input *in = (Input *)&room[0];
	fetch(b, in);
	if (block == MAPS_BLOCK) {
		schedule(b, in);
		update_maps(b, in, &maps[0]);
	} else if (block == TERMS_BLOCK) {
		terms(b, in);
	} else {
		displace(b, in, b->moved_channels[block - FIRST_MOVED], bins);
	}
}

#endif
