// The share of one block in the evolve pass: its planes, their inputs, and the sums
// that leave it. Few threads fill it in once, then all read it: 11 kB of static
// shared memory.
#ifndef FIELDBRAIN_SHARE_CUH
#define FIELDBRAIN_SHARE_CUH

#include "recall.cuh"

enum { CACHED = 28 }; // stimuli of a channel whose profiles a block keeps at hand

// What an update may lack besides the equation's own parts (point.h), so that a row
// tests one register.
enum {
	ACROSS = NEXT_PART, DOWN = 2 * NEXT_PART, ALONG = 4 * NEXT_PART, // diffuses along loop A, B, R
	MORE = 8 * NEXT_PART, // stimuli beyond the cached ones, or couplings
};

// A Share is what one block works on, in shared memory, where every thread
// finds it without a register of its own.
struct Share {
	int sums[3][SIDE];    // of new outputs, per stored cell, along the loops
	Row a[CACHED], b[CACHED], r[CACHED]; // profiles along the loops; a times the amplitude
	PlacedChannel s;
	Coef k;
	int c, first, planes; // planes [first, first + planes) of loop A
	int row, rows;        // rows [row, row + rows) of loop B
	int each;             // planes of a strip: what a warp takes of one row
	int step[3];          // how far apart old activations lie along the loops
	int flags;
	const float *u;       // old activations, where they are whole
	const uint16_t *half; // old activations, where they are halves
	float *next;          // new ones
	uint16_t *next_half;
	const float *trace;   // old memory trace that preshapes it, or null
	const Frame *f;
	float base;           // global inhibition
	int32_t terms, end;   // of the frame's index
	int32_t couplings, coupling[MAX_COUPLINGS];
	uint32_t tick_key;
	Lead lead;            // how recalled patterns lead it
	const float *patterns;
	bool ran, bad;

	DEVICE_MEMBER int cell(int a, int row, int r) const { return (a * s.extent[1] + row) * SIDE + r; }
	// from is where the old activation of a cell lies: displaced ones are packed.
	DEVICE_MEMBER int from(int a, int row, int r) const { return a * step[0] + row * step[1] + r * step[2]; }
	DEVICE_MEMBER int strips() const { return planes / each * rows; }
	DEVICE_MEMBER uint32_t key(int a, int row, int r) const {
		return (uint32_t)(a * s.key[0] + row * s.key[1] + r * s.key[2]);
	}
};

// A Strip is one row of cells in some planes: a warp's work at a time.
struct Strip {
	int a, row;
	DEVICE_MEMBER Strip(const Share *w, int n) : a(w->first + n / w->rows * w->each), row(w->row + n % w->rows) {}
};

// old reads an activation of before the update, i as Share.from says; HALF says whether
// the channel may hold halves.
template <bool HALF>
DEVICE float old(const Share *w, int i) {
	return HALF && w->half ? from_half(w->half[i]) : w->u[i];
}

// store writes a new activation.
template <bool HALF>
DEVICE void store(const Share *w, int i, float v, int a, int row, int r) {
	if (HALF && w->next_half) w->next_half[i] = to_half(v, mix((w->key(a, row, r) + (uint32_t)CELLS * w->c) ^ ~w->tick_key));
	else w->next[i] = v;
}

// moved_total is the sum of the outputs of a displaced channel; a whole warp calls it.
DEVICE int moved_total(const Frame *f, int c, int mask) {
	const int lane = threadIdx.x % SIDE;
	return warp_sum(lane < (distinct(mask) + PLANE - 1) / PLANE ? f->moved_sum[c][lane] : 0);
}

// Tasks of taking a share, a warp each, or the first lane of one: each is a chain of
// reads that wait for one another, and they go side by side.
enum { TAKE_CHANNEL, TAKE_COEF = 3, TAKE_PLACES, TAKE_BASE, TAKE_TRACE, TAKE_LEAD, TAKE_INPUTS };

// places finds where a channel's activations lie.
DEVICE void places(const Memory *mem, const Work *item, Share *w) {
	const int c = item->channel, now = mem->flip[c];
	const Frame *f = mem->frame;
	const PlacedChannel *s = &mem->constants->channels[c];
	const bool half = halved(mem, s), moved = s->egocentric && f->moving && (s->kind == AMARI || s->kind == LINEAR);
	w->c = c;
	w->f = f;
	w->planes = item->columns ? s->extent[0] : s->extent[0] / item->parts;
	w->first = item->columns ? 0 : item->part * w->planes;
	w->rows = item->columns ? s->extent[1] / item->parts : s->extent[1];
	w->row = item->columns ? item->part * w->rows : 0;
	w->each = item->columns ? w->planes * w->rows / (EVOLVE_THREADS / SIDE) : w->planes;
	w->step[0] = moved ? s->pack[0] : s->extent[1] * SIDE;
	w->step[1] = moved ? s->pack[1] : SIDE;
	w->step[2] = moved ? s->pack[2] : 1;
	w->u = moved ? mem->moved + s->offset : mem->u[now] + s->offset;
	w->half = half && !moved ? mem->half[now] + s->offset : 0;
	w->next = mem->u[1 - now] + s->offset;
	w->next_half = half ? mem->half[1 - now] + s->offset : 0;
	w->tick_key = f->tick_key;
	w->ran = f->run[c];
	w->bad = false;
	w->patterns = mem->patterns;
}

// base finds the global inhibition of a channel; a whole warp calls it.
DEVICE void base(const Memory *mem, int c, Share *w) {
	const Frame *f = mem->frame;
	const PlacedChannel *s = &mem->constants->channels[c];
	const int outputs = mem->marginals[c].total, displaced = moved_total(f, c, s->mask);
	const bool moved = s->egocentric && f->moving && (s->kind == AMARI || s->kind == LINEAR);
	if (threadIdx.x % SIDE == 0) w->base = global(f->coef[c], moved ? displaced : outputs);
}

// preshape finds the memory trace that preshapes a channel.
DEVICE void preshape(const Memory *mem, int c, Share *w) {
	const int t = mem->constants->channels[c].trace;
	w->trace = t < 0 ? 0 : mem->u[mem->flip[t]] + mem->constants->channels[t].offset;
}

// inputs finds a channel's stimuli and couplings, in their order; a whole warp calls it.
DEVICE void inputs(const Memory *mem, int c, Share *w) {
	static_assert(MAX_COUPLINGS <= SIDE, "a lane per coupling");
	const Frame *f = mem->frame;
	const int lane = threadIdx.x % SIDE;
	const bool mine = lane < mem->constants->num_couplings && mem->constants->couplings[lane].to == c && f->weight[lane] != 0;
	const uint32_t all = __ballot_sync(0xffffffffu, mine);
	if (mine) w->coupling[__popc(all & ((1u << lane) - 1))] = lane;
	if (lane != 0) return;
	w->terms = f->start[c];
	w->end = f->start[c + 1];
	w->couplings = __popc(all);
}

DEVICE float profile(const Row *rows, int axis, int i) {
	return axis == AXIS_X ? rows[0][i] : axis == AXIS_Y ? rows[1][i] : axis == AXIS_Z ? rows[2][i] : 1;
}

// take fills in a block's share.
DEVICE void take(const Memory *mem, Share *w) {
	const Work *item = &mem->work[blockIdx.x];
	const int c = item->channel, i = threadIdx.x;
	const PlacedChannel *s = &mem->constants->channels[c];
	const int warp = i / SIDE, lane = i % SIDE;
	if (i < (int)(sizeof(PlacedChannel) / 4)) ((int32_t *)&w->s)[i] = ((const int32_t *)s)[i];
	if (warp == TAKE_COEF && lane < (int)(sizeof(Coef) / 4)) ((float *)&w->k)[lane] = ((const float *)&mem->frame->coef[c])[lane];
	if (warp == TAKE_PLACES && lane == 0) places(mem, item, w);
	if (warp == TAKE_BASE) base(mem, c, w);
	if (warp == TAKE_TRACE && lane == 0) preshape(mem, c, w);
	if (warp == TAKE_LEAD && lane == 0) w->lead = lead(mem, c, mem->frame->coef[c].lead);
	if (warp == TAKE_INPUTS) inputs(mem, c, w);
	const int terms = mem->frame->start[c], end = mem->frame->start[c + 1];
	for (int n = i; n < CACHED * SIDE; n += blockDim.x) {
		const int at = terms + n / SIDE, bin = n % SIDE;
		if (at >= end) break;
		const int t = mem->frame->index[at];
		const Row *rows = mem->frame->rows[t];
		w->a[n / SIDE][bin] = mul(profile(rows, s->axis[0], bin), mem->frame->amp[t]);
		w->b[n / SIDE][bin] = profile(rows, s->axis[1], bin);
		w->r[n / SIDE][bin] = profile(rows, s->axis[2], bin);
	}
	__syncthreads();
	if (i != 0) return;
	const bool diffuses = w->k.nu != 0;
	w->flags = (s->kind == AMARI ? ACTIVE : 0) | (s->kind == AMARI && w->k.inhibit != 0 ? INHIBITED : 0) |
			   (w->trace ? PRESHAPED : 0) | (w->k.noise != 0 ? NOISY : 0) | (diffuses && s->local[0] ? ACROSS : 0) |
			   (diffuses && s->local[1] ? DOWN : 0) | (diffuses && s->local[2] ? ALONG : 0) |
			   (w->end - w->terms > CACHED || w->couplings > 0 ? MORE : 0) |
			   (w->lead.rate != 0 ? LED : 0);
}

// A Tally gathers the outputs of one strip: lane n the sum of its plane n, every lane
// its own column.
struct Tally {
	int plane, column;

	DEVICE_MEMBER void note(int q, int n, int r) {
		int sum = warp_sum(q);
		column += q;
		if (r == n) plane += sum;
	}
	DEVICE_MEMBER void book(Share *w, const Strip &at, int r) const {
		int sum = warp_sum(plane);
		if (plane != 0) atomicAdd(&w->sums[0][at.a + r], plane);
		if (column != 0) atomicAdd(&w->sums[2][r], column);
		if (r == 0 && sum != 0) atomicAdd(&w->sums[1][at.row], sum);
	}
};

DEVICE void clear(Share *w) {
	for (int i = threadIdx.x; i < 3 * SIDE; i += blockDim.x) w->sums[i / SIDE][i % SIDE] = 0;
	__syncthreads();
}

// publish adds the block's sums to the channel's.
DEVICE void publish(const Memory *mem, int c, const Share *w) {
	__syncthreads();
	Marginal *to = &mem->sums[c];
	const int i = threadIdx.x, loop = i / SIDE, bin = i % SIDE;
	if (i < 3 * SIDE && w->sums[loop][bin] != 0) {
		const int v = w->sums[loop][bin], axis = w->s.axis[loop];
		if (w->s.local[loop]) atomicAdd(axis == AXIS_X ? &to->x[bin] : axis == AXIS_Y ? &to->y[bin] : &to->z[bin], v);
		if (loop == 2) atomicAdd(&to->total, v);
	}
	__syncthreads();
}

#endif
