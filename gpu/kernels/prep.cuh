// K1: all of a tick that does not touch each cell of the field (field/prep.go and
// the functions that it calls).
//
// Shapes: profiles[stimulus][axis][32], projections[coupling][distinct cells of the
// target], displaced activations as the channel stores them. Launch: blocks of 1024
// threads, none of which reads memory that another writes: one for the maps and the
// heading input; one for the prediction and then the stimuli that it shapes; one per
// coupling, per displaced channel, and per channel that patterns keep. Memory: the
// input, 4.3 kB from the host, by two blocks; per displaced cell four cells read,
// which meet in the caches, and 4 bytes written.
#ifndef FIELDBRAIN_PREP_CUH
#define FIELDBRAIN_PREP_CUH

#include "maps.cuh"
#include "motion.cuh"
#include "predict.cuh"
#include "recall.cuh"

enum { MAPS_BLOCK, TERMS_BLOCK, FIRST_MOVED = FIRST_COUPLING + MAX_COUPLINGS };

// fetch copies the input from the page once, all threads side by side: each read
// of the page is a journey to the host.
DEVICE void fetch(const Memory *mem, Input *in) {
	const volatile uint64_t *from = (const volatile uint64_t *)mem->in;
	for (int i = threadIdx.x; i < (int)(sizeof(Input) / 8); i += blockDim.x) ((uint64_t *)in)[i] = from[i];
	__syncthreads();
}

// every is the update period of a channel in ticks.
DEVICE int every(const Input *in, const PlacedChannel *s) {
	switch (s->every) {
	case EVERY_PERCEPTION: return (int)in->quality.perception;
	case EVERY_TRACES: return (int)in->quality.traces;
	case EVERY_ASSOCIATIVE: return (int)in->quality.associative;
	}
	return 1;
}

// turn is how many ticks before the others of its part channel c runs
// (field.Quality).
DEVICE int turn(const PlacedChannel *s, int c) { return s->every == EVERY_TRACES ? 4 * c : c; }

// schedule decides which channels run and with which rates.
DEVICE void schedule(const Memory *mem, const Input *in) {
	Frame *f = mem->frame;
	int c = threadIdx.x;
	if (c < CHANNELS) {
		int n = every(in, &mem->constants->channels[c]);
		f->run[c] = (in->tick + turn(&mem->constants->channels[c], c)) % n == 0;
		f->coef[c] = c == HEADING && in->drive.on_line ? mem->constants->line_coef
													  : mem->constants->coef[n < 2 ? 0 : n < 4 ? 1 : n < 8 ? 2 : 3][c];
	}
	if (c == CHANNELS) {
		f->tick_key = mix((uint32_t)in->tick ^ mix((uint32_t)(in->tick >> 32) ^ mem->constants->key));
		f->not_finite = 0;
		f->moving = limited(in->forward, 1) != 0 || limited(in->turn, (float)(2 * PI)) != 0;
	}
}

// draw draws the profile of a term along one axis.
DEVICE void draw(const Memory *mem, const Term *t, int row, int axis) {
	bool local = mem->constants->channels[t->channel & (CHANNELS - 1)].mask >> axis & 1;
	gaussian(mem->frame->rows[row][axis], t->centre[axis], local ? t->sigma[axis] : 0, axis == 0);
}

// surprising counts the spots before n whose slot was not as expected.
DEVICE int surprising(const Memory *mem, int n) {
	int count = 0;
	for (int j = 0; j < n; j++) count += mem->predictor->result.novelty[mem->constants->spots[j].slot] != 0;
	return count;
}

// surprise enters one axis of spot n into NOVELTY, as the last terms there.
DEVICE void surprise(const Memory *mem, const Input *in, int n, int axis) {
	const Spot *spot = &mem->constants->spots[n];
	float amplitude = mem->predictor->result.novelty[spot->slot], s = mem->predictor->s[spot->slot];
	if (amplitude == 0) return;
	Term t = {NOVELTY, amplitude, {add(spot->x, mul(spot->turn, s)), spot->y, 0}, {spot->width, spot->width, 0}, 0};
	if (spot->ranging) t.centre[1] = (float)range_bin((double)add(mul(4.0f, s), spot->y));
	draw(mem, &t, MAX_TERMS + 1 + n, axis);
	if (axis != 0) return;
	int at = 1 + surprising(mem, n); // the heading input and the spots before
	for (int j = 0; j < (int)in->num_terms; j++) at += in->terms[j].channel <= NOVELTY;
	mem->frame->index[at] = MAX_TERMS + 1 + n;
	mem->frame->amp[MAX_TERMS + 1 + n] = amplitude;
}

enum { FIRST_SURPRISE = 512 }; // the first thread that enters one

// terms sorts the stimuli by channel, keeping their order, and draws their
// profiles. The heading input is the last term of its channel.
DEVICE void terms(const Memory *mem, const Input *in) {
	Frame *f = mem->frame;
	int i = threadIdx.x, n = (int)in->num_terms;
	const int surprises = surprising(mem, mem->constants->num_spots);
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
		f->amp[i] = of == 0 ? in->terms[i].a : mul(in->terms[i].a, add(1, mem->predictor->boost[of - 1]));
	}
	if (i < 3 * n) draw(mem, &in->terms[i / 3], i / 3, i % 3);
	if (i >= FIRST_SURPRISE && i < FIRST_SURPRISE + 3 * mem->constants->num_spots)
		surprise(mem, in, (i - FIRST_SURPRISE) / 3, (i - FIRST_SURPRISE) % 3);
	if (i == 3 * MAX_TERMS) f->amp[MAX_TERMS] = 1;
	if (i < SIDE) f->rows[MAX_TERMS][1][i] = f->rows[MAX_TERMS][2][i] = 1;
}

// couple projects one source's present outputs onto its target: summed over the
// axes that only the source has, repeated along those that only the target has.
DEVICE void couple(const Memory *mem, int n, int *bins) {
	if (n >= mem->constants->num_couplings) return;
	const PlacedCoupling k = mem->constants->couplings[n];
	const PlacedChannel *from = &mem->constants->channels[k.from];
	int to = mem->constants->channels[k.to].mask, shared = from->mask & to;
	if (mem->marginals[k.from].total == 0) {
		if (threadIdx.x == 0) mem->frame->weight[n] = 0;
		return;
	}
	for (int i = threadIdx.x; i < distinct(shared); i += blockDim.x) bins[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < distinct(from->mask); i += blockDim.x) {
		int at[3];
		spread(i, from->mask, at);
		int q = present(mem, k.from, place(from, at));
		if (q != 0) atomicAdd(&bins[pack(at, shared)], q);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < distinct(to); i += blockDim.x) {
		int at[3];
		spread(i, to, at);
		int sum = bins[pack(at, shared)];
		mem->frame->proj[n][i] = mul((float)(sum < ONE ? sum : ONE), 1.0f / ONE);
	}
	if (threadIdx.x == 0) mem->frame->weight[n] = k.weight;
}

extern "C" __global__ void __launch_bounds__(PLANE) fieldbrain_prep(const Memory *mem) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(int, bins, PLANE);
	FIELDBRAIN_STATIC_SHARED(MapScratch, maps, 1);
	FIELDBRAIN_STATIC_SHARED(Now, now, 1);
	int block = blockIdx.x;
	if (block >= FIRST_COUPLING && block < FIRST_MOVED) {
		couple(mem, block - FIRST_COUPLING, bins);
		return;
	}
	if (block >= FIRST_MOVED + mem->num_moved) {
		carry(mem, block - FIRST_MOVED - mem->num_moved, bins);
		return;
	}
	Input *in = (Input *)&room[0];
	fetch(mem, in);
	if (block == MAPS_BLOCK) {
		schedule(mem, in);
		update_maps(mem, in, &maps[0]);
	} else if (block == TERMS_BLOCK) {
		cue(mem, in);
		predict(mem, in, &now[0]);
		terms(mem, in);
	} else {
		displace(mem, in, mem->moved_channels[block - FIRST_MOVED], bins);
	}
}

#endif
