// The share of one block in the evolve pass: its planes, their inputs, and the sums
// that leave it. Few threads fill it in once, then all read it: 11 kB of static
// shared memory.
#ifndef FIELDBRAIN_SHARE_CUH
#define FIELDBRAIN_SHARE_CUH

#include "overlap.cuh"
#include "recall.cuh"

enum { CACHED = 28 }; // stimuli of a channel whose profiles a block keeps at hand

// What an update may lack besides the equation's own parts (point.h), so that a row
// tests one register.
enum {
	ACROSS = NEXT_PART, DOWN = 2 * NEXT_PART, ALONG = 4 * NEXT_PART, // diffuses along loop A, B, R
	MORE = 8 * NEXT_PART, // stimuli beyond the cached ones, or couplings
	TRAILED = 16 * NEXT_PART, // the first trace that follows advances with the strand
};

// A Follower is a trace that follows the block's channel.
struct Follower {
	const float *from; // its values
	float *to;
	Coef k;
	int c;             // its channel, -1: there is none, nor one behind it
	bool gated, runs;
};

// A Share is what one block works on, in shared memory, where every thread
// finds it without a register of its own.
struct Share {
	int sums[3][SIDE];    // of new outputs, per stored cell, along the loops
	int trail[3][SIDE];   // of those of the first trace that follows
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
	Frame *f;
	Marginal *to;         // where the sums of all channels go
	float base;           // global inhibition
	int32_t terms, end;   // of the frame's index
	uint32_t linked;      // couplings that there are to the channel, a bit each
	int32_t couplings, coupling[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS];
	int16_t index[MAX_ROWS]; // the frame's
	int32_t total;        // the channel's outputs before
	Follower after[MAX_CHILDREN];
	const float *moved;   // its activations where the body's motion displaced them
	uint32_t tick_key;
	Lead lead;            // how recalled patterns lead it
	const float *patterns;
	bool ran, bad, overlap;
	bool both, early;     // both lateral kernels; their sums come before the preparation's end

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
	const int lane = threadIdx.x % SIDE, parts = distinct(mask) / PREP_THREADS; // at most 32 of them
	return warp_sum(lane < (parts < 1 ? 1 : parts) ? f->moved_sum[c][lane] : 0);
}

// Tasks of taking a share, a warp each, or the first lane of one: each is a chain of
// reads that wait for one another, and they go side by side.
enum { TAKE_CHANNEL, TAKE_COEF = 3, TAKE_PLACES, TAKE_BASE, TAKE_TRACE, TAKE_LEAD, TAKE_INPUTS, TAKE_FOLLOWERS, TAKE_FLAGS = EVOLVE_THREADS / SIDE - 1 };
static_assert(TAKE_FOLLOWERS + MAX_CHILDREN <= TAKE_FLAGS && MAX_ROWS <= EVOLVE_THREADS, "who does what");

// movable says whether the body's motion may displace a channel.
DEVICE bool movable(const PlacedChannel *s) { return s->egocentric && (s->kind == AMARI || s->kind == LINEAR); }

// ahead says whether a block sums what interacts before the preparation has ended: these
// sums need the activations of before, displaced where the body's motion does that, and
// nothing else.
DEVICE bool ahead(const Memory *mem) {
	return mem->overlap && mem->constants->channels[mem->work[blockIdx.x].channel].kind == AMARI;
}

// places finds where a channel's activations lie if nothing displaced them.
DEVICE void places(const Memory *mem, const Work *item, Share *w) {
	const int c = item->channel, now = mem->flip[c];
	const PlacedChannel *s = &mem->constants->channels[c];
	const bool half = halved(mem, s);
	w->c = c;
	w->f = mem->frame;
	w->to = mem->sums;
	w->overlap = mem->overlap;
	w->planes = item->columns ? s->extent[0] : s->extent[0] / item->parts;
	w->first = item->columns ? 0 : item->part * w->planes;
	w->rows = item->columns ? s->extent[1] / item->parts : s->extent[1];
	w->row = item->columns ? item->part * w->rows : 0;
	w->each = item->columns ? w->planes * w->rows / (EVOLVE_THREADS / SIDE) : w->planes;
	w->step[0] = s->extent[1] * SIDE;
	w->step[1] = SIDE;
	w->step[2] = 1;
	w->u = mem->u[now] + s->offset;
	w->half = half ? mem->half[now] + s->offset : 0;
	w->next = mem->u[1 - now] + s->offset;
	w->next_half = half ? mem->half[1 - now] + s->offset : 0;
	w->bad = false;
	w->early = ahead(mem);
	w->both = mem->constants->coef[0][c].inhibit != 0; // at every period
	w->patterns = mem->patterns;
	w->moved = mem->moved + s->offset;
}

// displaced waits for those who displace the channel by the body's motion, if it does, and
// finds where its activations lie then, packed. The whole block calls it.
DEVICE void displaced(Share *w) {
	if (!movable(&w->s)) return;
	await(w->f, w->overlap, STAGE_MOVE);
	if (threadIdx.x == 0 && w->f->moving) {
		for (int i = 0; i < 3; i++) w->step[i] = w->s.pack[i];
		w->u = w->moved;
		w->half = 0;
	}
	__syncthreads();
}

// news is what the preparation said of a channel: whether it runs.
DEVICE void news(Share *w) {
	const uint32_t key = w->f->tick_key;
	const bool ran = w->f->run[w->c];
	w->tick_key = key;
	w->ran = ran;
}

// base finds the global inhibition of a channel; a whole warp calls it.
DEVICE void base(Share *w) {
	const int displaced = moved_total(w->f, w->c, w->s.mask);
	const bool moved = w->f->moving && movable(&w->s);
	if (threadIdx.x % SIDE == 0) w->base = global(w->f->coef[w->c], moved ? displaced : w->total);
}

// preshape finds the memory trace that preshapes a channel.
DEVICE void preshape(const Memory *mem, int c, Share *w) {
	const int t = mem->constants->channels[c].trace;
	w->trace = t < 0 ? 0 : mem->u[mem->flip[t]] + mem->constants->channels[t].offset;
}

// follower finds the n-th trace that follows a channel, and where its values lie if it runs.
DEVICE void follower(const Memory *mem, int c, int n, Follower *a) {
	const int t = a->c = mem->children[MAX_CHILDREN * c + n];
	if (t < 0) return;
	const PlacedChannel *s = &mem->constants->channels[t];
	const int now = mem->flip[t];
	a->from = mem->u[now] + s->offset;
	a->to = mem->u[1 - now] + s->offset;
	a->gated = s->kind == MEMORY;
}

// links finds the couplings to a channel; a whole warp calls it.
DEVICE void links(const Memory *mem, int c, Share *w) {
	static_assert(MAX_COUPLINGS <= SIDE, "a lane per coupling");
	const int lane = threadIdx.x % SIDE;
	const bool mine = lane < mem->constants->num_couplings && mem->constants->couplings[lane].to == c;
	const uint32_t all = __ballot_sync(0xffffffffu, mine);
	if (lane == 0) w->linked = all;
}

// inputs finds a channel's stimuli and couplings, in their order; a whole warp calls it.
DEVICE void inputs(Share *w) {
	const Frame *f = w->f;
	const int lane = threadIdx.x % SIDE, c = w->c;
	const float weight = w->linked >> lane & 1 ? f->weight[lane] : 0;
	const int terms = f->start[c], end = f->start[c + 1];
	const uint32_t all = __ballot_sync(0xffffffffu, weight != 0);
	if (weight != 0) {
		const int n = __popc(all & ((1u << lane) - 1));
		w->coupling[n] = lane;
		w->weight[n] = weight;
	}
	if (lane != 0) return;
	w->terms = terms;
	w->end = end;
	w->couplings = __popc(all);
}

DEVICE float profile(const Row *rows, int axis, int i) {
	return axis == AXIS_X ? rows[0][i] : axis == AXIS_Y ? rows[1][i] : axis == AXIS_Z ? rows[2][i] : 1;
}

// claim fills in what a block knows of its share without the preparation.
DEVICE void claim(const Memory *mem, Share *w) {
	const Work *item = &mem->work[blockIdx.x];
	const int c = item->channel, i = threadIdx.x;
	const int warp = i / SIDE, lane = i % SIDE;
	if (i < (int)(sizeof(PlacedChannel) / 4)) ((int32_t *)&w->s)[i] = ((const int32_t *)&mem->constants->channels[c])[i];
	if (warp == TAKE_PLACES && lane == 0) places(mem, item, w);
	if (warp == TAKE_TRACE && lane == 0) preshape(mem, c, w);
	if (warp == TAKE_BASE && lane == 0) w->total = mem->marginals[c].total;
	if (warp == TAKE_LEAD && lane == 0) w->lead = lead(mem, c, 1);
	if (warp == TAKE_INPUTS) links(mem, c, w);
	if (warp == TAKE_FOLLOWERS && lane < MAX_CHILDREN) follower(mem, c, lane, &w->after[lane]);
	__syncthreads();
}

// flags is what an update of the share lacks.
DEVICE int flags(const Share *w) {
	const PlacedChannel *s = &w->s;
	const bool diffuses = w->k.nu != 0;
	return (s->kind == AMARI ? ACTIVE : 0) | (s->kind == AMARI && w->k.inhibit != 0 ? INHIBITED : 0) |
		   (w->trace ? PRESHAPED : 0) | (w->k.noise != 0 ? NOISY : 0) | (diffuses && s->local[0] ? ACROSS : 0) |
		   (diffuses && s->local[1] ? DOWN : 0) | (diffuses && s->local[2] ? ALONG : 0) |
		   (w->end - w->terms > CACHED || w->couplings > 0 ? MORE : 0) | (w->lead.rate != 0 ? LED : 0) |
		   (w->ran && w->after[0].c >= 0 && w->after[0].runs && !w->next_half ? TRAILED : 0);
}

// take waits for the preparation and fills in the rest of a block's share. A call, for
// two places call it.
static __device__ __attribute__((noinline)) void take(Share *w) {
	await(w->f, w->overlap, STAGE_PREP);
	const Frame *f = w->f;
	const PlacedChannel *s = &w->s;
	const int c = w->c, i = threadIdx.x, warp = i / SIDE, lane = i % SIDE;
	if (warp == TAKE_COEF && lane < (int)(sizeof(Coef) / 4)) ((float *)&w->k)[lane] = ((const float *)&f->coef[c])[lane];
	if (warp == TAKE_PLACES && lane == 0) news(w);
	if (warp == TAKE_BASE) base(w);
	if (warp == TAKE_LEAD && lane == 0) w->lead.rate = mul(f->coef[c].lead, w->lead.rate);
	if (warp == TAKE_INPUTS) inputs(w);
	for (int n = 0; n < MAX_CHILDREN && w->after[n].c >= 0; n++) {
		if (warp != TAKE_FOLLOWERS + n) continue;
		if (lane < (int)(sizeof(Coef) / 4)) ((float *)&w->after[n].k)[lane] = ((const float *)&f->coef[w->after[n].c])[lane];
		if (lane == SIDE - 1) w->after[n].runs = f->run[w->after[n].c];
	}
	if (i < MAX_ROWS) w->index[i] = (int16_t)f->index[i];
	__syncthreads();
	if (warp == TAKE_FLAGS && lane == 0) w->flags = flags(w);
	const int stimuli = w->end - w->terms < CACHED ? w->end - w->terms : CACHED;
#pragma unroll 1
	for (int n = warp; n < stimuli; n += EVOLVE_THREADS / SIDE) {
		const int t = w->index[w->terms + n];
		const Row *rows = f->rows[t];
		const float amp = f->amp[t], a = profile(rows, s->axis[0], lane), b = profile(rows, s->axis[1], lane), r = profile(rows, s->axis[2], lane);
		w->a[n][lane] = mul(a, amp);
		w->b[n][lane] = b;
		w->r[n][lane] = r;
	}
	__syncthreads();
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
	DEVICE_MEMBER void book(int (*sums)[SIDE], const Strip &at, int r) const {
		int sum = warp_sum(plane);
		if (plane != 0) atomicAdd(&sums[0][at.a + r], plane);
		if (column != 0) atomicAdd(&sums[2][r], column);
		if (r == 0 && sum != 0) atomicAdd(&sums[1][at.row], sum);
	}
};

DEVICE void clear(Share *w) {
	for (int i = threadIdx.x; i < 3 * SIDE; i += blockDim.x) w->sums[i / SIDE][i % SIDE] = w->trail[i / SIDE][i % SIDE] = 0;
	__syncthreads();
}

// publish adds sums of the block to those of a channel.
DEVICE void publish(int c, const Share *w, const int (*sums)[SIDE]) {
	__syncthreads();
	Marginal *to = &w->to[c];
	const int i = threadIdx.x, loop = i / SIDE, bin = i % SIDE;
	if (i < 3 * SIDE && sums[loop][bin] != 0) {
		const int v = sums[loop][bin], axis = w->s.axis[loop];
		if (w->s.local[loop]) atomicAdd(axis == AXIS_X ? &to->x[bin] : axis == AXIS_Y ? &to->y[bin] : &to->z[bin], v);
		if (loop == 2) atomicAdd(&to->total, v);
	}
	__syncthreads();
}

#endif
