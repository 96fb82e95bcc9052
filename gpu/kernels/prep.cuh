// K1: everything about a tick that does not touch each cell of the field
// (field/prep.go and what it calls). One block for the maps and the heading
// input, one for the prediction and then the stimuli it shapes, one per coupling,
// one per displaced channel, one per channel that patterns keep; the blocks do not
// read what others write.
#ifndef FIELDBRAIN_PREP_CUH
#define FIELDBRAIN_PREP_CUH

#include "maps.cuh"
#include "motion.cuh"
#include "predict.cuh"
#include "recall.cuh"

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

// turn is how many ticks before the others of its part channel c runs
// (field.Quality).
DEVICE int turn(const Sheet *s, int c) { return s->every == EVERY_TRACES ? 4 * c : c; }

// schedule decides which channels run and with which rates.
DEVICE void schedule(const Brain *b, const Input *in) {
	Frame *f = b->frame;
	int c = threadIdx.x;
	if (c < CHANNELS) {
		int n = every(in, &b->constants->sheets[c]);
		f->run[c] = (in->tick + turn(&b->constants->sheets[c], c)) % n == 0;
		f->coef[c] = c == HEADING && in->drive.on_line ? b->constants->line_coef
													  : b->constants->coef[n < 2 ? 0 : n < 4 ? 1 : n < 8 ? 2 : 3][c];
	}
	if (c == CHANNELS) {
		f->tick_key = mix((uint32_t)in->tick ^ mix((uint32_t)(in->tick >> 32) ^ b->constants->key));
		f->not_finite = 0;
		f->moving = limited(in->forward, 1) != 0 || limited(in->turn, (float)(2 * PI)) != 0;
	}
}

// draw draws the profile of a term along one axis.
DEVICE void draw(const Brain *b, const Term *t, int row, int axis) {
	bool local = b->constants->sheets[t->channel & (CHANNELS - 1)].mask >> axis & 1;
	gaussian(b->frame->rows[row][axis], t->centre[axis], local ? t->sigma[axis] : 0, axis == 0);
}

// surprising counts the spots before n whose slot was not as expected.
DEVICE int surprising(const Brain *b, int n) {
	int count = 0;
	for (int j = 0; j < n; j++) count += b->predictor->result.novelty[b->constants->spots[j].slot] != 0;
	return count;
}

// surprise enters one axis of spot n into NOVELTY, as the last terms there.
DEVICE void surprise(const Brain *b, const Input *in, int n, int axis) {
	const Spot *spot = &b->constants->spots[n];
	float amplitude = b->predictor->result.novelty[spot->slot], s = b->predictor->s[spot->slot];
	if (amplitude == 0) return;
	Term t = {NOVELTY, amplitude, {add(spot->x, mul(spot->turn, s)), spot->y, 0}, {spot->width, spot->width, 0}, 0};
	if (spot->ranging) t.centre[1] = (float)range_bin((double)add(mul(4.0f, s), spot->y));
	draw(b, &t, MAX_TERMS + 1 + n, axis);
	if (axis != 0) return;
	int at = 1 + surprising(b, n); // the heading input and the spots before
	for (int j = 0; j < (int)in->num_terms; j++) at += in->terms[j].channel <= NOVELTY;
	b->frame->index[at] = MAX_TERMS + 1 + n;
	b->frame->amp[MAX_TERMS + 1 + n] = amplitude;
}

enum { FIRST_SURPRISE = 512 }; // the first thread that enters one

// terms sorts the stimuli by channel, keeping their order, and draws their
// profiles. The heading input is the last term of its channel.
DEVICE void terms(const Brain *b, const Input *in) {
	Frame *f = b->frame;
	int i = threadIdx.x, n = (int)in->num_terms;
	const int surprises = surprising(b, b->constants->num_spots);
	if (i <= CHANNELS) {
		int count = (i > HEADING) + (i > NOVELTY ? surprises : 0);
		for (int j = 0; j < n; j++) count += (int)in->terms[j].channel < i;
		f->start[i] = count;
		if (i == HEADING + 1) f->index[count - 1] = MAX_TERMS;
	}
	if (i < n) {
		int c = (int)in->terms[i].channel, at = (c > HEADING) + (c > NOVELTY ? surprises : 0);
		for (int j = 0; j < n; j++) at += in->terms[j].channel < c || (in->terms[j].channel == c && j < i);
		f->index[at] = i;
		int of = in->terms[i].of;
		f->amp[i] = of == 0 ? in->terms[i].a : mul(in->terms[i].a, add(1, b->predictor->boost[of - 1]));
	}
	if (i < 3 * n) draw(b, &in->terms[i / 3], i / 3, i % 3);
	if (i >= FIRST_SURPRISE && i < FIRST_SURPRISE + 3 * b->constants->num_spots)
		surprise(b, in, (i - FIRST_SURPRISE) / 3, (i - FIRST_SURPRISE) % 3);
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
	FIELDBRAIN_STATIC_SHARED(Now, now, 1);
	int block = blockIdx.x;
	if (block >= FIRST_COUPLING && block < FIRST_MOVED) {
		couple(b, block - FIRST_COUPLING, bins);
		return;
	}
	if (block >= FIRST_MOVED + b->num_moved) {
		carry(b, block - FIRST_MOVED - b->num_moved, bins);
		return;
	}
	Input *in = (Input *)&room[0];
	fetch(b, in);
	if (block == MAPS_BLOCK) {
		schedule(b, in);
		update_maps(b, in, &maps[0]);
	} else if (block == TERMS_BLOCK) {
		cue(b, in);
		predict(b, in, &now[0]);
		terms(b, in);
	} else {
		displace(b, in, b->moved_channels[block - FIRST_MOVED], bins);
	}
}

#endif
