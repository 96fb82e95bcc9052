// K2, the evolve pass: what point.h computes for a cell, for every cell of the
// field. field/cpu/purego.go is the plain loop.
//
// Shapes: u[a][b][r] float32 or half, r fastest and 32 cells long; tiles of Q15
// outputs [plane][b][r], 16 bits. Launch: a block of 512 threads per share of a
// channel, 16 or 8 of its 32 planes, and the same planes of the traces that follow
// it; a warp is a row of 32 cells. Memory per dense cell: 4 bytes read and 4 written
// (2 and 2 of halves); neighbours meet in the caches, sums leave by 97 atomic
// additions per block at most.
#ifndef FIELDBRAIN_EVOLVE_CUH
#define FIELDBRAIN_EVOLVE_CUH

#include "lateral.cuh"
#include "share.cuh"

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

// diffuse is u + nu LAP(u) of cell i: below and above lie along loop A.
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
	return diffused(at, w->k.nu, sum, count);
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

// input is S of one cell; `terms` of its stimuli are cached.
DEVICE float input(const Share *w, int flags, int terms, int a, int row, int r) {
	float sum = 0;
#pragma unroll 1
	for (int n = 0; n < terms; n++) sum = add(sum, mul(mul(w->a[n][a], w->b[n][row]), w->r[n][r]));
	if (flags & MORE) sum = more(w, sum, a, row, r);
	return clipped(sum);
}

// A Cell answers what the equation asks for besides a cell's own activation: cell i
// of its channel, at (a, row, r), in row t of the tiles.
struct Cell {
	const Share *w;
	const Tile *tiles;
	int t, a, row, r, i;

	DEVICE_MEMBER float excitation() const { return (float)tiles[0].get(t, r); }
	DEVICE_MEMBER float inhibition() const { return (float)tiles[1].get(t, r); }
	DEVICE_MEMBER float trace() const { return w->trace[i]; }
	DEVICE_MEMBER float noise() const { return ::noise(w->key(a, row, r), w->c, w->tick_key); }
	DEVICE_MEMBER float recalled(float d) const {
		const int i = a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2];
		const float *p = w->patterns;
		return ::recalled(w->lead, d, p[w->lead.from[0] + i], p[w->lead.from[1] + i], p[w->lead.from[2] + i]);
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
			const Cell cell = {w, tiles, n * rows + row, a, row, r, i};
			float next = relax(w->k, flags, flags & ACTIVE, d, drive(w->k, flags, input(w, flags, terms, a, row, r), w->base, cell), cell);
			if (sub(next, next) != 0) w->bad = true;
			store<HALF>(w, i, next, a, row, r);
			sum.note(output(next, flags & ACTIVE), n, r);
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
	const float *map = w->c == HAZARD_MAP ? f->hazard : w->c == VISITED_MAP ? f->visited : f->obstacle;
	const int r = threadIdx.x % SIDE;
	for (int row = threadIdx.x / SIDE; row < w->s.extent[1]; row += blockDim.x / SIDE) {
		Tally sum = {0, 0};
		for (int n = 0; n < w->planes; n++) {
			const int a = w->first + n;
			float v = map[a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2]];
			w->next[w->cell(a, row, r)] = v;
			sum.note(output(v, false), n, r);
		}
		sum.book(w, row, r);
	}
}

// trace advances trace t of the channel whose block this is.
template <bool HALF>
DEVICE void trace(const Memory *mem, Share *w, int t) {
	const Coef k = w->f->coef[t];
	const bool gated = mem->constants->channels[t].kind == MEMORY, amari = w->s.kind == AMARI;
	const int offset = mem->constants->channels[t].offset, r = threadIdx.x % SIDE, now = w->f->run[t] ? mem->flip[t] : 0;
	const float *from = mem->u[now] + offset;
	float *to = mem->u[1 - now] + offset;
	for (int row = threadIdx.x / SIDE; row < w->s.extent[1]; row += blockDim.x / SIDE) {
		Tally sum = {0, 0};
		for (int n = 0; n < w->planes; n++) {
			const int i = w->cell(w->first + n, row, r);
			float u = !w->ran ? old<HALF>(w, i) : HALF && w->next_half ? from_half(w->next_half[i]) : w->next[i];
			int q = output(u, amari);
			float next = follow(k, gated, from[i], q);
			to[i] = next;
			sum.note(output(next, false), n, r);
		}
		sum.book(w, row, r);
	}
}

// evolve is the body of the evolve kernels.
template <bool HALF, int PLANES>
DEVICE void evolve(const Memory *mem, uint16_t *room, Share *w) {
	take(mem, w);
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
		publish(mem, w->c, w);
		if (threadIdx.x == 0 && w->bad) atomicAdd(&mem->frame->not_finite, 1);
	}
	for (int n = 0; n < MAX_CHILDREN; n++) {
		const int t = mem->children[MAX_CHILDREN * w->c + n];
		if (t < 0) break;
		if (!w->f->run[t]) continue;
		clear(w);
		trace<HALF>(mem, w, t);
		publish(mem, t, w);
	}
}

// The tiles of both lateral kernels lie in dynamic shared memory: 2 * 2 * 32 *
// PITCH bytes for each plane of a block's share.
#define EVOLVE(NAME, HALF, PLANES)                                               \
	extern "C" __global__ void __launch_bounds__(EVOLVE_THREADS, 2) NAME(const Memory *mem) {   \
		FIELDBRAIN_SHARED(uint16_t, room);                                        \
		FIELDBRAIN_STATIC_SHARED(Share, share, 1);                                \
		evolve<HALF, PLANES>(mem, &room[0], &share[0]);                             \
	}

EVOLVE(fieldbrain_evolve_f32, false, 16)
EVOLVE(fieldbrain_evolve_f16, true, 16)
EVOLVE(fieldbrain_evolve_f32_small, false, 8)
EVOLVE(fieldbrain_evolve_f16_small, true, 8)

#endif
