// K2, the evolve pass: what point.h computes for a cell, for every cell of the
// field. field/cpu/purego.go is the plain loop.
//
// Shapes: u[a][b][r] float32 or half, r fastest and 32 cells long; tiles of Q15
// outputs [plane][b][r], 16 bits. Launch: a block of 512 threads per share of a
// channel, 16 or 8 of its 32 planes, or all planes of 16 or 8 of its 32 rows where
// cells interact along loop A alone; and the same cells of the traces that follow it;
// a warp is a row of 32 cells. Memory per dense cell: 4 bytes read and 4 written
// (2 and 2 of halves); neighbours meet in the caches, sums leave by 97 atomic
// additions per block at most.
#ifndef FIELDBRAIN_EVOLVE_CUH
#define FIELDBRAIN_EVOLVE_CUH

#include "lateral.cuh"
#include "share.cuh"

// outputs fills the block's tiles with outputs, summed along loop A if it is local; both
// kernels take them from one reading.
template <bool HALF, bool BOTH, int PLANES>
DEVICE void outputs(const Share *w, const Tile *tiles) {
	const int rows = w->s.extent[1];
	const bool wrap = w->s.axis[0] == AXIS_X;
	for (int i = threadIdx.x; i < rows * SIDE; i += blockDim.x) {
		const int row = i / SIDE, r = i % SIDE, at = w->from(0, row, r), step = w->step[0];
		if (w->s.local[0]) {
			int v[PLANES + 2 * REACH];
#pragma unroll
			for (int k = 0; k < PLANES + 2 * REACH; k++) {
				int a = w->first + k - REACH;
				bool inside = wrap || (a >= 0 && a < SIDE);
				v[k] = inside ? output(old<HALF>(w, at + (a & (SIDE - 1)) * step), true) : 0;
			}
			across<BOTH, PLANES>(v, tiles, row, rows, r);
		} else {
			for (int k = 0; k < w->planes; k++) {
				const int q = output(old<HALF>(w, at + (w->first + k) * step), true);
				tiles[0].set(k * rows + row, r, q);
				if (BOTH) tiles[1].set(k * rows + row, r, q);
			}
		}
	}
}

// interact fills the tiles with the lateral input of a block's planes.
template <bool HALF, int PLANES>
DEVICE void interact(const Share *w, const Tile *tiles) {
	const bool both = w->k.inhibit != 0;
	if (both) outputs<HALF, true, PLANES>(w, tiles);
	else outputs<HALF, false, PLANES>(w, tiles);
	__syncthreads();
	within<false>(&w->s, tiles[0], w->planes);
	if (both) within<true>(&w->s, tiles[1], w->planes);
}

// A Hood is where a row's neighbours are: rows beside it, lanes beside this one.
struct Hood {
	int up, down, left, right;
};

DEVICE Hood hood(const Share *w, int row, int r) {
	const bool round = w->s.axis[1] == AXIS_X, wrap = w->s.axis[2] == AXIS_X;
	Hood h;
	h.up = (row > 0 ? -1 : round ? SIDE - 1 : 0) * w->step[1];
	h.down = (row < SIDE - 1 ? 1 : round ? 1 - SIDE : 0) * w->step[1];
	h.left = r > 0 ? r - 1 : wrap ? SIDE - 1 : 0;
	h.right = r < SIDE - 1 ? r + 1 : wrap ? 0 : SIDE - 1;
	return h;
}

// diffuse is u + nu LAP(u) of the cell whose old activation lies at i: below and above
// lie along loop A.
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

// Lateral input of a cell, from the block's tiles or from a thread's own sums: those
// of the narrow kernel in the lower half of a word.
struct TileSums {
	const Tile *tiles;
	int t, r;
	DEVICE_MEMBER float excitation() const { return (float)tiles[0].get(t, r); }
	DEVICE_MEMBER float inhibition() const { return (float)tiles[1].get(t, r); }
};

struct ColumnSums {
	uint32_t both;
	DEVICE_MEMBER float excitation() const { return (float)(int)(both & 0xffff); }
	DEVICE_MEMBER float inhibition() const { return (float)(int)(both >> 16); }
};

// A Cell answers what the equation asks for besides a cell's own activation: cell i
// of its channel, at (a, row, r).
template <class Sums>
struct Cell {
	const Share *w;
	Sums lateral;
	int a, row, r, i;

	DEVICE_MEMBER float excitation() const { return lateral.excitation(); }
	DEVICE_MEMBER float inhibition() const { return lateral.inhibition(); }
	DEVICE_MEMBER float trace() const { return w->trace[i]; }
	DEVICE_MEMBER float noise() const { return ::noise(w->key(a, row, r), w->c, w->tick_key); }
	DEVICE_MEMBER float recalled(float d) const {
		const int i = a * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2];
		const float *p = w->patterns;
		return ::recalled(w->lead, d, p[w->lead.from[0] + i], p[w->lead.from[1] + i], p[w->lead.from[2] + i]);
	}
};

// update stores a cell's new activation and returns its output. d is its diffused one.
template <bool HALF, class Sums>
DEVICE int update(Share *w, int flags, int terms, float d, const Cell<Sums> &cell) {
	const float s = input(w, flags, terms, cell.a, cell.row, cell.r);
	const float next = relax(w->k, flags, flags & ACTIVE, d, drive(w->k, flags, s, w->base, cell), cell);
	if (sub(next, next) != 0) w->bad = true;
	store<HALF>(w, cell.i, next, cell.a, cell.row, cell.r);
	return output(next, flags & ACTIVE);
}

DEVICE int cached(const Share *w) { return w->end - w->terms < CACHED ? w->end - w->terms : CACHED; }

// advance updates the block's cells: a warp walks through the planes of one row.
template <bool HALF>
DEVICE void advance(Share *w, const Tile *tiles) {
	const int r = threadIdx.x % SIDE, rows = w->s.extent[1], last = w->s.extent[0] - 1, flags = w->flags;
	const int terms = cached(w), step = w->step[0];
	const bool wrap = w->s.axis[0] == AXIS_X;
	for (int row = threadIdx.x / SIDE; row < rows; row += blockDim.x / SIDE) {
		const Hood h = hood(w, row, r);
		Tally sum = {0, 0};
		int a = w->first, i = w->cell(a, row, r), from = w->from(a, row, r);
		float below = old<HALF>(w, w->from(a > 0 ? a - 1 : wrap ? last : 0, row, r)), at = old<HALF>(w, from);
#pragma unroll 1
		for (int n = 0; n < w->planes; n++, a++, i += rows * SIDE, from += step) {
			float above = old<HALF>(w, a < last ? from + step : wrap ? from - last * step : from);
			float d = diffuse<HALF>(w, flags, h, below, at, above, from);
			const Cell<TileSums> cell = {w, {tiles, n * rows + row, r}, a, row, r, i};
			sum.note(update<HALF>(w, flags, terms, d, cell), n, r);
			below = at;
			at = above;
		}
		sum.book(w, Strip(w, row), r);
	}
}

// column_sums leaves the lateral input of a thread's column in `sums`, every 512th
// word, from outputs that it holds in registers: EACH planes from a on.
template <bool HALF, bool BOTH, int EACH>
DEVICE void column_sums(const Share *w, const Strip &at, int r, uint32_t *sums) {
	const int before = EACH < SIDE ? REACH : 0, base = w->from(0, at.row, r), step = w->step[0];
	int v[SIDE];
#pragma unroll
	for (int k = 0; k < SIDE; k++) v[k] = output(old<HALF>(w, base + ((at.a - before + k) & (SIDE - 1)) * step), true);
#pragma unroll
	for (int n = 0; n < EACH; n++) {
		const int k = EACH < SIDE ? n : n / 2 + n % 2 * (SIDE / 2); // opposite planes share a pair
		uint32_t both = (uint32_t)around<false, true>(v, k + before);
		if (BOTH) both |= (uint32_t)around<true, true>(v, k + before) << 16;
		sums[k * EVOLVE_THREADS] = both;
	}
}

// column updates a block's cells where they interact along loop A alone, around a
// circle: a thread has a column of EACH planes, and no thread waits for another.
template <bool HALF, bool BOTH, int EACH>
DEVICE void column(Share *w, uint32_t *room) {
	const int r = threadIdx.x % SIDE, terms = cached(w), step = w->step[0];
	const int flags = (w->flags & ~(INHIBITED | DOWN | ALONG)) | ACTIVE | (BOTH ? INHIBITED : 0);
	const Strip strip(w, threadIdx.x / SIDE);
	uint32_t *sums = room + threadIdx.x;
	column_sums<HALF, BOTH, EACH>(w, strip, r, sums);
	const Hood none = {0, 0, 0, 0};
	const int base = w->from(0, strip.row, r);
	Tally sum = {0, 0};
	float below = old<HALF>(w, base + ((strip.a - 1) & (SIDE - 1)) * step), at = old<HALF>(w, base + strip.a * step);
#pragma unroll 1
	for (int n = 0; n < EACH; n++) {
		const int a = strip.a + n;
		const float above = old<HALF>(w, base + ((a + 1) & (SIDE - 1)) * step);
		const Cell<ColumnSums> cell = {w, {sums[n * EVOLVE_THREADS]}, a, strip.row, r, w->cell(a, strip.row, r)};
		sum.note(update<HALF>(w, flags, terms, diffuse<HALF>(w, flags, none, below, at, above, 0), cell), n, r);
		below = at;
		at = above;
	}
	sum.book(w, strip, r);
}

// show copies an egocentric map, which the preparation computed, into its
// channel.
DEVICE void show(Share *w) {
	const Frame *f = w->f;
	const float *map = w->c == HAZARD_MAP ? f->hazard : w->c == VISITED_MAP ? f->visited : f->obstacle;
	const int r = threadIdx.x % SIDE;
	for (int strip = threadIdx.x / SIDE; strip < w->strips(); strip += blockDim.x / SIDE) {
		const Strip at(w, strip);
		Tally sum = {0, 0};
		for (int n = 0; n < w->each; n++) {
			const int a = at.a + n;
			float v = map[a * w->s.pack[0] + at.row * w->s.pack[1] + r * w->s.pack[2]];
			w->next[w->cell(a, at.row, r)] = v;
			sum.note(output(v, false), n, r);
		}
		sum.book(w, at, r);
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
	for (int strip = threadIdx.x / SIDE; strip < w->strips(); strip += blockDim.x / SIDE) {
		const Strip at(w, strip);
		Tally sum = {0, 0};
		for (int n = 0; n < w->each; n++) {
			const int i = w->cell(at.a + n, at.row, r);
			float u = !w->ran ? old<HALF>(w, w->from(at.a + n, at.row, r)) : HALF && w->next_half ? from_half(w->next_half[i]) : w->next[i];
			int q = output(u, amari);
			float next = follow(k, gated, from[i], q);
			to[i] = next;
			sum.note(output(next, false), n, r);
		}
		sum.book(w, at, r);
	}
}

// renew updates the block's cells of a channel that is no map and no trace.
template <bool HALF, int PLANES>
DEVICE void renew(Share *w, uint16_t *room) {
	if (w->rows < w->s.extent[1]) {
		if (w->k.inhibit != 0) column<HALF, true, 2 * PLANES>(w, (uint32_t *)room);
		else column<HALF, false, 2 * PLANES>(w, (uint32_t *)room);
		return;
	}
	const Tile tiles[2] = {{room}, {room + PLANES * SIDE * PITCH}};
	if (w->s.kind == AMARI) interact<HALF, PLANES>(w, tiles);
	advance<HALF>(w, tiles);
}

// evolve is the body of the evolve kernels.
template <bool HALF, int PLANES>
DEVICE void evolve(const Memory *mem, uint16_t *room, Share *w) {
	take(mem, w);
	__syncthreads();
	if (w->ran) {
		clear(w);
		if (w->s.kind == MAPPING) show(w);
		else renew<HALF, PLANES>(w, room);
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

// The tiles of both lateral kernels lie in dynamic shared memory, 2 * 2 * 32 * PITCH
// bytes for each plane of a block's share, or the sums of its columns.
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
