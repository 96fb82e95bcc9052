// K2: the evolve pass. A block owns some planes of one channel and the same
// planes of the traces that follow it. It reads their activations once from
// memory (neighbours meet in the caches), writes them once, and leaves the sums
// of the new outputs (field/cpu/purego.go is the plain loop).
//
//	u~ = ADV(u)    d = u~ + nu LAP(u~)
//	b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//	u' = d + alpha (b - d) + q' xi
#ifndef FIELDBRAIN_EVOLVE_CUH
#define FIELDBRAIN_EVOLVE_CUH

#include "lateral.cuh"
#include "recall.cuh"

enum { CACHED = 4 }; // stimuli of a channel whose profiles a block keeps at hand

// What an update may lack, so that a row tests one register.
enum {
	SIGMOID = 1, INHIBITED = 2, PRESHAPED = 4, NOISY = 8, ACROSS = 16, DOWN = 32, ALONG = 64, // the last three: diffuses along slot A, B, R
	MORE = 128, // stimuli beyond the cached ones, or couplings
	LED = 256,  // recalled patterns lead it
};

// A Share is what one block works on, in shared memory, where every thread
// finds it without a register of its own.
struct Share {
	int sums[3][SIDE];    // of new outputs, per stored cell, along the slots
	Row a[CACHED], b[CACHED], r[CACHED]; // profiles along the slots; a times the amplitude
	Sheet s;
	Coef k;
	int c, first, planes; // planes [first, first + planes) of slot A
	int flags;
	const float *u;       // old activations, where they are whole
	const uint16_t *half; // old activations, where they are halves
	float *next;          // new ones
	uint16_t *next_half;
	const float *trace;   // old memory trace that preshapes it, or null
	const Frame *f;
	float base;           // min(40, c_glob F)
	int32_t terms, end;   // of the frame's index
	int32_t couplings, coupling[MAX_COUPLINGS];
	uint32_t tick_key;
	Lead lead;
	const float *patterns;
	bool ran, bad;

	DEVICE_MEMBER int cell(int a, int row, int r) const { return (a * s.extent[1] + row) * SIDE + r; }
	DEVICE_MEMBER uint32_t key(int a, int row, int r) const {
		return (uint32_t)(a * s.key[0] + row * s.key[1] + r * s.key[2]);
	}
};

// old reads an activation of before the update; HALF says whether the channel
// may hold halves.
template <bool HALF>
DEVICE float old(const Share *w, int i) {
	return HALF && w->half ? from_half(w->half[i]) : w->u[i];
}

// places finds where a channel's activations lie; one thread does it.
DEVICE void places(const Brain *b, const Work *item, Share *w) {
	const int c = item->channel, now = b->flip[c];
	const Frame *f = b->frame;
	const Sheet *s = &b->constants->sheets[c];
	const bool half = halved(b, s), moved = s->egocentric && f->moving && (s->kind == AMARI || s->kind == LINEAR);
	w->c = c;
	w->f = f;
	w->planes = s->extent[0] / item->parts;
	w->first = item->part * w->planes;
	w->u = moved ? b->moved + s->offset : b->u[now] + s->offset;
	w->half = half && !moved ? b->half[now] + s->offset : 0;
	w->next = b->u[1 - now] + s->offset;
	w->next_half = half ? b->half[1 - now] + s->offset : 0;
	w->trace = s->trace < 0 ? 0 : b->u[b->flip[s->trace]] + b->constants->sheets[s->trace].offset;
	w->base = least(mul((float)(moved ? f->moved_total[c] : b->marginals[c].total), f->coef[c].global_), 40);
	w->tick_key = f->tick_key;
	w->ran = f->run[c];
	w->bad = false;
	w->lead = lead(b, c, f->coef[c].lead);
	w->patterns = b->patterns;
}

// inputs finds a channel's stimuli and couplings; one thread does it.
DEVICE void inputs(const Brain *b, int c, Share *w) {
	const Frame *f = b->frame;
	w->terms = f->start[c];
	w->end = f->start[c + 1];
	w->couplings = 0;
	for (int n = 0; n < b->constants->num_couplings; n++)
		if (b->constants->couplings[n].to == c && f->weight[n] != 0) w->coupling[w->couplings++] = n;
}

DEVICE float profile(const Row *rows, int axis, int i) {
	return axis == AXIS_X ? rows[0][i] : axis == AXIS_Y ? rows[1][i] : axis == AXIS_Z ? rows[2][i] : 1;
}

// take fills in a block's share.
DEVICE void take(const Brain *b, Share *w) {
	const Work *item = &b->work[blockIdx.x];
	const int c = item->channel, i = threadIdx.x;
	const Sheet *s = &b->constants->sheets[c];
	if (i < (int)(sizeof(Sheet) / 4)) ((int32_t *)&w->s)[i] = ((const int32_t *)s)[i];
	if (i >= 64 && i < 64 + (int)(sizeof(Coef) / 4)) ((float *)&w->k)[i - 64] = ((const float *)&b->frame->coef[c])[i - 64];
	if (i == 96) places(b, item, w);
	if (i == 128) inputs(b, c, w);
	for (int n = i; n < CACHED * SIDE; n += blockDim.x) {
		const int at = b->frame->start[c] + n / SIDE, bin = n % SIDE;
		if (at >= b->frame->start[c + 1]) break;
		const int t = b->frame->index[at];
		const Row *rows = b->frame->rows[t];
		w->a[n / SIDE][bin] = mul(profile(rows, s->axis[0], bin), b->frame->amp[t]);
		w->b[n / SIDE][bin] = profile(rows, s->axis[1], bin);
		w->r[n / SIDE][bin] = profile(rows, s->axis[2], bin);
	}
	__syncthreads();
	if (i != 0) return;
	const bool diffuses = w->k.nu != 0;
	w->flags = (s->kind == AMARI ? SIGMOID : 0) | (s->kind == AMARI && w->k.inhibit != 0 ? INHIBITED : 0) |
			   (w->trace ? PRESHAPED : 0) | (w->k.noise != 0 ? NOISY : 0) | (diffuses && s->local[0] ? ACROSS : 0) |
			   (diffuses && s->local[1] ? DOWN : 0) | (diffuses && s->local[2] ? ALONG : 0) |
			   (w->end - w->terms > CACHED || w->couplings > 0 ? MORE : 0) |
			   (w->lead.rate != 0 ? LED : 0);
}

// store writes a new activation.
template <bool HALF>
DEVICE void store(const Share *w, int i, float v, int a, int row, int r) {
	if (HALF && w->next_half) w->next_half[i] = to_half(v, mix((w->key(a, row, r) + (uint32_t)CELLS * w->c) ^ ~w->tick_key));
	else w->next[i] = v;
}

// interact fills a tile with the lateral input of one kernel.
template <bool WIDE, bool HALF, int PLANES>
DEVICE void interact(const Share *w, Tile t) {
	const int columns = w->s.extent[1] * SIDE;
	const bool local = w->s.local[0], wrap = w->s.axis[0] == AXIS_X;
	for (int i = threadIdx.x; i < columns; i += blockDim.x) {
		const int row = i / SIDE, r = i % SIDE;
		if (local) {
			int v[PLANES + 2 * REACH];
#pragma unroll
			for (int k = 0; k < PLANES + 2 * REACH; k++) {
				int a = w->first + k - REACH;
				bool inside = wrap || (a >= 0 && a < SIDE);
				v[k] = inside ? output(old<HALF>(w, (a & (SIDE - 1)) * columns + i), true) : 0;
			}
			across<WIDE, PLANES>(v, t, row, w->s.extent[1], r);
		} else {
			for (int k = 0; k < w->planes; k++)
				t.set(k * w->s.extent[1] + row, r, output(old<HALF>(w, (w->first + k) * columns + i), true));
		}
	}
	__syncthreads();
	within<WIDE>(&w->s, t, w->planes);
}

// A Hood is where a row's neighbours are: rows beside it, lanes beside this one.
struct Hood {
	int up, down, left, right;
};

DEVICE Hood hood(const Share *w, int row, int r) {
	const bool round = w->s.axis[1] == AXIS_X, wrap = w->s.axis[2] == AXIS_X;
	Hood h;
	h.up = (row > 0 ? -1 : round ? SIDE - 1 : 0) * SIDE;
	h.down = (row < SIDE - 1 ? 1 : round ? 1 - SIDE : 0) * SIDE;
	h.left = r > 0 ? r - 1 : wrap ? SIDE - 1 : 0;
	h.right = r < SIDE - 1 ? r + 1 : wrap ? 0 : SIDE - 1;
	return h;
}

// diffuse is u + nu LAP(u) of cell i: below and above lie along slot A.
template <bool HALF>
DEVICE float diffuse(const Share *w, int flags, const Hood &h, float below, float at, float above, int i) {
	if (!(flags & (ACROSS | DOWN | ALONG))) return at;
	float sum = 0, count = 0;
	if (flags & ACROSS) {
		sum = add(sum, add(below, above));
		count = 2;
	}
	if (flags & DOWN) {
		sum = add(sum, add(old<HALF>(w, i + h.up), old<HALF>(w, i + h.down)));
		count += 2;
	}
	if (flags & ALONG) {
		sum = add(sum, add(__shfl_sync(0xffffffffu, at, h.left), __shfl_sync(0xffffffffu, at, h.right)));
		count += 2;
	}
	return add(at, mul(w->k.nu, sub(sum, mul(count, at))));
}

// more adds what few channels have: stimuli beyond the cached ones, couplings.
DEVICE float more(const Share *w, float sum, int a, int row, int r) {
	const Frame *f = w->f;
#pragma unroll 1
	for (int n = w->terms + CACHED; n < w->end; n++) {
		const int t = f->index[n];
		float g = mul(profile(f->rows[t], w->s.axis[0], a), f->amp[t]);
		g = mul(g, profile(f->rows[t], w->s.axis[1], row));
		sum = add(sum, mul(g, profile(f->rows[t], w->s.axis[2], r)));
	}
#pragma unroll 1
	for (int n = 0; n < w->couplings; n++) {
		const int k = w->coupling[n];
		sum = add(sum, mul(f->weight[k], f->proj[k][a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2]]));
	}
	return sum;
}

// input is S of one cell: terms and couplings, clipped to [-20, 12]. `terms` is
// the number of cached ones.
DEVICE float input(const Share *w, int flags, int terms, int a, int row, int r) {
	float sum = 0;
#pragma unroll 1
	for (int n = 0; n < terms; n++) sum = add(sum, mul(mul(w->a[n][a], w->b[n][row]), w->r[n][r]));
	if (flags & MORE) sum = more(w, sum, a, row, r);
	return clip(sum, -20, 12);
}

// update is the core equation for cell i: d is its diffused activation, t its
// row in the tiles, s its input.
DEVICE float update(const Share *w, int flags, const Tile *tiles, int t, int r, int i, float d, float s) {
	float v = add(w->k.resting, s);
	if (flags & SIGMOID) {
		v = sub(v, w->base);
		v = add(v, mul((float)tiles[0].get(t, r), w->k.excite));
		if (flags & INHIBITED) v = sub(v, mul((float)tiles[1].get(t, r), w->k.inhibit));
	}
	if (flags & PRESHAPED) v = add(v, mul(w->k.preshape, w->trace[i]));
	return add(d, mul(w->k.alpha, sub(v, d)));
}

// recalled is what recalled patterns add to a cell whose diffused activation is d.
DEVICE float recalled(const Share *w, int a, int row, int r, float d) {
	const int i = a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2];
	float sum = mul(w->lead.weight[0], w->patterns[w->lead.from[0] + i]);
	sum = add(sum, mul(w->lead.weight[1], w->patterns[w->lead.from[1] + i]));
	sum = add(sum, mul(w->lead.weight[2], w->patterns[w->lead.from[2] + i]));
	return mul(w->lead.rate, sub(sum, mul(w->lead.pull, d)));
}

// A Tally gathers the outputs of one row of cells in all planes of a block: lane
// n the sum of plane n, every lane its own column.
struct Tally {
	int plane, column;

	DEVICE_MEMBER void note(int q, int n, int r) {
		int sum = warp_sum(q);
		column += q;
		if (r == n) plane += sum;
	}
	DEVICE_MEMBER void book(Share *w, int row, int r) const {
		int sum = warp_sum(plane);
		if (plane != 0) atomicAdd(&w->sums[0][w->first + r], plane);
		if (column != 0) atomicAdd(&w->sums[2][r], column);
		if (r == 0 && sum != 0) atomicAdd(&w->sums[1][row], sum);
	}
};

// advance updates the block's cells: a warp walks through the planes of one row.
template <bool HALF>
DEVICE void advance(Share *w, const Tile *tiles) {
	const int r = threadIdx.x % SIDE, rows = w->s.extent[1], last = w->s.extent[0] - 1, flags = w->flags;
	const int terms = w->end - w->terms < CACHED ? w->end - w->terms : CACHED;
	const bool wrap = w->s.axis[0] == AXIS_X;
	for (int row = threadIdx.x / SIDE; row < rows; row += blockDim.x / SIDE) {
		const Hood h = hood(w, row, r);
		Tally sum = {0, 0};
		int a = w->first, i = w->cell(a, row, r);
		float below = old<HALF>(w, w->cell(a > 0 ? a - 1 : wrap ? last : 0, row, r)), at = old<HALF>(w, i);
#pragma unroll 1
		for (int n = 0; n < w->planes; n++, a++, i += rows * SIDE) {
			float above = old<HALF>(w, a < last ? i + rows * SIDE : wrap ? i - last * rows * SIDE : i);
			float d = diffuse<HALF>(w, flags, h, below, at, above, i);
			float next = update(w, flags, tiles, n * rows + row, r, i, d, input(w, flags, terms, a, row, r));
			if (flags & NOISY) next = add(next, mul(w->k.noise, noise(w->key(a, row, r), w->c, w->tick_key)));
			if (flags & LED) next = add(next, recalled(w, a, row, r, d));
			if (!(flags & SIGMOID)) next = settle(next);
			if (sub(next, next) != 0) w->bad = true;
			store<HALF>(w, i, next, a, row, r);
			sum.note(output(next, flags & SIGMOID), n, r);
			below = at;
			at = above;
		}
		sum.book(w, row, r);
	}
}

// show copies an egocentric map, which the preparation computed, into its
// channel.
DEVICE void show(Share *w) {
	const Frame *f = w->f;
	const float *sheet = w->c == HAZARD_MAP ? f->hazard : w->c == VISITED_MAP ? f->visited : f->obstacle;
	const int r = threadIdx.x % SIDE;
	for (int row = threadIdx.x / SIDE; row < w->s.extent[1]; row += blockDim.x / SIDE) {
		Tally sum = {0, 0};
		for (int n = 0; n < w->planes; n++) {
			const int a = w->first + n;
			float v = sheet[a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2]];
			w->next[w->cell(a, row, r)] = v;
			sum.note(output(v, false), n, r);
		}
		sum.book(w, row, r);
	}
}

// follow advances trace t of the channel whose block this is by the channel's
// present output.
template <bool HALF>
DEVICE void follow(const Brain *b, Share *w, int t) {
	const Coef k = w->f->coef[t];
	const bool gated = b->constants->sheets[t].kind == MEMORY, amari = w->s.kind == AMARI;
	const int offset = b->constants->sheets[t].offset, r = threadIdx.x % SIDE, now = w->f->run[t] ? b->flip[t] : 0;
	const float *from = b->u[now] + offset;
	float *to = b->u[1 - now] + offset;
	for (int row = threadIdx.x / SIDE; row < w->s.extent[1]; row += blockDim.x / SIDE) {
		Tally sum = {0, 0};
		for (int n = 0; n < w->planes; n++) {
			const int i = w->cell(w->first + n, row, r);
			float u = !w->ran ? old<HALF>(w, i) : HALF && w->next_half ? from_half(w->next_half[i]) : w->next[i];
			int q = output(u, amari);
			float v = from[i], next = add(v, mul(k.alpha, sub(mul((float)q, 1.0f / ONE), v)));
			if (gated && q <= ONE / 2) next = mul(v, k.keep);
			next = settle(next);
			to[i] = next;
			sum.note(output(next, false), n, r);
		}
		sum.book(w, row, r);
	}
}

DEVICE void clear(Share *w) {
	for (int i = threadIdx.x; i < 3 * SIDE; i += blockDim.x) w->sums[i / SIDE][i % SIDE] = 0;
	__syncthreads();
}

// publish adds the block's sums to the channel's.
DEVICE void publish(const Brain *b, int c, const Share *w) {
	__syncthreads();
	Marginal *to = &b->sums[c];
	const int i = threadIdx.x, slot = i / SIDE, bin = i % SIDE;
	if (i < 3 * SIDE && w->sums[slot][bin] != 0) {
		const int v = w->sums[slot][bin], axis = w->s.axis[slot];
		if (w->s.local[slot]) atomicAdd(axis == AXIS_X ? &to->x[bin] : axis == AXIS_Y ? &to->y[bin] : &to->z[bin], v);
		if (slot == 2) atomicAdd(&to->total, v);
	}
	__syncthreads();
}

// evolve is the body of the evolve kernels.
template <bool HALF, int PLANES>
DEVICE void evolve(const Brain *b, uint16_t *room, Share *w) {
	take(b, w);
	__syncthreads();
	const Tile tiles[2] = {{room}, {room + PLANES * SIDE * PITCH}};
	if (w->ran) {
		clear(w);
		if (w->s.kind == MAPPING) {
			show(w);
		} else {
			if (w->s.kind == AMARI) {
				interact<false, HALF, PLANES>(w, tiles[0]);
				if (w->k.inhibit != 0) interact<true, HALF, PLANES>(w, tiles[1]);
			}
			advance<HALF>(w, tiles);
		}
		publish(b, w->c, w);
		if (threadIdx.x == 0 && w->bad) atomicAdd(&b->frame->not_finite, 1);
	}
	for (int n = 0; n < 4; n++) {
		const int t = b->children[4 * w->c + n];
		if (t < 0) break;
		if (!w->f->run[t]) continue;
		clear(w);
		follow<HALF>(b, w, t);
		publish(b, t, w);
	}
}

// The tiles of both lateral kernels lie in dynamic shared memory: 2 * 2 * 32 *
// PITCH bytes for each plane of a block's share.
#define EVOLVE(NAME, HALF, PLANES)                                               \
	extern "C" __global__ void __launch_bounds__(512, 2) NAME(const Brain *b) {   \
		FIELDBRAIN_SHARED(uint16_t, room);                                        \
		FIELDBRAIN_STATIC_SHARED(Share, share, 1);                                \
		evolve<HALF, PLANES>(b, &room[0], &share[0]);                             \
	}

EVOLVE(fieldbrain_evolve_f32, false, 16)
EVOLVE(fieldbrain_evolve_f16, true, 16)
EVOLVE(fieldbrain_evolve_f32_small, false, 8)
EVOLVE(fieldbrain_evolve_f16_small, true, 8)

#endif
