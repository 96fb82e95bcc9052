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

#include "batch.cuh"
#include "lateral.cuh"
#include "share.cuh"
#include "trace.cuh"

// Together is how many planes' cells a thread updates together: as many as its registers
// hold.
template <bool HALF>
struct Together {
	enum { N = HALF ? 4 : 8 };
};

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
	const bool both = w->both;
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

// A Strand is N cells of a column, one plane after the other, whose update the thread
// computes together: cell 0 lies in plane a and is cell i of its channel.
template <bool HALF, int N>
struct Strand {
	const Share *w;
	Hood h;
	int a, row, r, i;

	DEVICE_MEMBER Strand(const Share *w, const Hood &h, int a, int row, int r) : w(w), h(h), a(a), row(row), r(r), i(w->cell(a, row, r)) {}
	DEVICE_MEMBER int cell(int n) const { return i + n * w->s.extent[1] * SIDE; }
	DEVICE_MEMBER int packed(int n) const { return (a + n) * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2]; }
	// old is what lay n planes above cell 0, along loop A's circle or up to its ends.
	DEVICE_MEMBER float old(int n) const {
		const int last = w->s.extent[0] - 1, at = a + n;
		const int plane = w->s.axis[0] == AXIS_X ? at & (SIDE - 1) : at < 0 ? 0 : at > last ? last : at;
		return ::old<HALF>(w, w->from(plane, row, r));
	}
	DEVICE_MEMBER float aside(int n, int by) const { return ::old<HALF>(w, w->from(a + n, row, r) + by); }
};

// diffuse is u + nu LAP(u) of a strand.
template <bool HALF, int N>
DEVICE Reals<N> diffuse(const Strand<HALF, N> &s, int flags) {
	const Reals<N + 2> u = each<float, N + 2>([&](int n) -> float { return s.old(n - 1); });
	const Reals<N> at = each<float, N>([&](int n) -> float { return u[n + 1]; });
	if (!(flags & (ACROSS | DOWN | ALONG))) return at;
	Reals<N> sum = {};
	float count = 0;
	if (flags & ACROSS) {
		sum = sum + each<float, N>([&](int n) -> float { return add(u[n], u[n + 2]); });
		count = 2;
	}
	if (flags & DOWN) {
		sum = sum + each<float, N>([&](int n) -> float { return add(s.aside(n, s.h.up), s.aside(n, s.h.down)); });
		count += 2;
	}
	if (flags & ALONG) {
		sum = sum + each<float, N>([&](int n) -> float {
			return add(__shfl_sync(0xffffffffu, at[n], s.h.left), __shfl_sync(0xffffffffu, at[n], s.h.right));
		});
		count += 2;
	}
	return diffused(at, s.w->k.nu, sum, count);
}

// more adds what few channels have: stimuli beyond the cached ones, couplings.
template <bool HALF, int N>
DEVICE Reals<N> more(const Strand<HALF, N> &s, Reals<N> sum) {
	const Share *w = s.w;
	const Frame *f = w->f;
#pragma unroll 1
	for (int n = w->terms + CACHED; n < w->end; n++) {
		const int t = w->index[n];
		const float down = profile(f->rows[t], w->s.axis[1], s.row), along = profile(f->rows[t], w->s.axis[2], s.r);
		sum = sum + each<float, N>([&](int j) -> float {
			return mul(mul(mul(profile(f->rows[t], w->s.axis[0], s.a + j), f->amp[t]), down), along);
		});
	}
#pragma unroll 1
	for (int n = 0; n < w->couplings; n++) {
		const int k = w->coupling[n];
		sum = sum + w->weight[n] * each<float, N>([&](int j) -> float { return f->proj[k][s.packed(j)]; });
	}
	return sum;
}

// input is S of a strand; `terms` of its stimuli are cached.
template <bool HALF, int N>
DEVICE Reals<N> input(const Strand<HALF, N> &s, int flags, int terms) {
	const Share *w = s.w;
	Reals<N> sum = {};
#pragma unroll 1
	for (int n = 0; n < terms; n++) {
		const float down = w->b[n][s.row], along = w->r[n][s.r];
		sum = sum + each<float, N>([&](int j) -> float { return mul(mul(w->a[n][s.a + j], down), along); });
	}
	if (flags & MORE) sum = more(s, sum);
	return clipped(sum);
}

// Lateral input of a strand, from the block's tiles or from a thread's own sums: those
// of the narrow kernel in the lower half of a word.
struct TileSums {
	const Tile *tiles;
	int t, pitch, r;
	template <int N> DEVICE_MEMBER Reals<N> excitation() const { return each<float, N>([&](int n) -> float { return (float)tiles[0].get(t + n * pitch, r); }); }
	template <int N> DEVICE_MEMBER Reals<N> inhibition() const { return each<float, N>([&](int n) -> float { return (float)tiles[1].get(t + n * pitch, r); }); }
};

struct ColumnSums {
	const uint32_t *both; // every 512th
	template <int N> DEVICE_MEMBER Reals<N> excitation() const { return each<float, N>([&](int n) -> float { return (float)(int)(both[n * EVOLVE_THREADS] & 0xffff); }); }
	template <int N> DEVICE_MEMBER Reals<N> inhibition() const { return each<float, N>([&](int n) -> float { return (float)(int)(both[n * EVOLVE_THREADS] >> 16); }); }
};

// Asked answers what the equation asks for besides the strand's own activation.
template <bool HALF, int N, class Sums>
struct Asked {
	const Strand<HALF, N> &s;
	const Sums &lateral;

	DEVICE_MEMBER Reals<N> excitation() const { return lateral.template excitation<N>(); }
	DEVICE_MEMBER Reals<N> inhibition() const { return lateral.template inhibition<N>(); }
	DEVICE_MEMBER Reals<N> trace() const { return each<float, N>([&](int n) -> float { return s.w->trace[s.cell(n)]; }); }
	DEVICE_MEMBER Reals<N> noise() const {
		return ::noise(each<uint32_t, N>([&](int n) -> uint32_t { return s.w->key(s.a + n, s.row, s.r); }), s.w->c, s.w->tick_key);
	}
	DEVICE_MEMBER Reals<N> recalled(const Reals<N> &d) const {
		const Share *w = s.w;
		auto pattern = [&](int k) -> Reals<N> { return each<float, N>([&](int n) -> float { return w->patterns[w->lead.from[k] + s.packed(n)]; }); };
		return ::recalled(w->lead, d, pattern(0), pattern(1), pattern(2));
	}
};

// update stores a strand's new activations and notes their outputs; n is how many planes
// of the tally lie before it.
template <bool HALF, int N, class Sums>
DEVICE void update(const Strand<HALF, N> &s, int flags, int terms, const Sums &lateral, Tally *sum, Tally *trail, int n, bool *bad) {
	const Share *w = s.w;
	const Reals<N> d = diffuse(s, flags), in = input(s, flags, terms);
	const Asked<HALF, N, Sums> at = {s, lateral};
	const Reals<N> next = relax(w->k, flags, flags & ACTIVE, d, drive(w->k, flags, in, w->base, at), at);
	const Wholes<N> q = output(next, flags & ACTIVE);
#pragma unroll
	for (int j = 0; j < N; j++) {
		*bad |= sub(next[j], next[j]) != 0;
		store<HALF>(w, s.cell(j), next[j], s.a + j, s.row, s.r);
		sum->note(q[j], n + j, s.r);
	}
	if (flags & TRAILED) follow_strand<N>(s, q, trail, n);
}

DEVICE int cached(const Share *w) { return w->end - w->terms < CACHED ? w->end - w->terms : CACHED; }

// advance updates the block's cells, N planes at a time: a warp walks through the planes
// of one row.
template <bool HALF, int N>
DEVICE void advance(Share *w, const Tile *tiles) {
	const int r = threadIdx.x % SIDE, rows = w->s.extent[1], planes = w->planes, flags = w->flags, terms = cached(w);
	bool bad = false;
	for (int row = threadIdx.x / SIDE; row < rows; row += blockDim.x / SIDE) {
		const Hood h = hood(w, row, r);
		Tally sum = {0, 0}, trail = {0, 0};
#pragma unroll 1
		for (int n = 0; n < planes; n += N) {
			const Strand<HALF, N> s(w, h, w->first + n, row, r);
			update(s, flags, terms, TileSums{tiles, n * rows + row, rows, r}, &sum, &trail, n, &bad);
		}
		sum.book(w->sums, Strip(w, row), r);
		if (flags & TRAILED) trail.book(w->trail, Strip(w, row), r);
	}
	if (bad) w->bad = true;
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
// circle: a thread has a column of EACH planes, whose sums it made itself.
template <bool HALF, bool BOTH, int EACH>
DEVICE void column(Share *w, const uint32_t *room) {
	const int r = threadIdx.x % SIDE, terms = cached(w);
	const int flags = (w->flags & ~(INHIBITED | DOWN | ALONG)) | ACTIVE | (BOTH ? INHIBITED : 0);
	const Strip strip(w, threadIdx.x / SIDE);
	const uint32_t *sums = room + threadIdx.x;
	const Hood none = {0, 0, 0, 0};
	Tally sum = {0, 0}, trail = {0, 0};
	bool bad = false;
#pragma unroll 1
	for (int n = 0; n < EACH; n += Together<HALF>::N) {
		const Strand<HALF, Together<HALF>::N> s(w, none, strip.a + n, strip.row, r);
		update(s, flags, terms, ColumnSums{sums + n * EVOLVE_THREADS}, &sum, &trail, n, &bad);
	}
	sum.book(w->sums, strip, r);
	if (flags & TRAILED) trail.book(w->trail, strip, r);
	if (bad) w->bad = true;
}

// lateral leaves the lateral input of the block's cells in `room`.
template <bool HALF, int PLANES>
DEVICE void lateral(const Share *w, uint16_t *room) {
	if (w->rows < w->s.extent[1]) {
		const Strip strip(w, threadIdx.x / SIDE);
		uint32_t *sums = (uint32_t *)room + threadIdx.x;
		if (w->both) column_sums<HALF, true, 2 * PLANES>(w, strip, threadIdx.x % SIDE, sums);
		else column_sums<HALF, false, 2 * PLANES>(w, strip, threadIdx.x % SIDE, sums);
		return;
	}
	const Tile tiles[2] = {{room}, {room + PLANES * SIDE * PITCH}};
	interact<HALF, PLANES>(w, tiles);
}

// renew updates the block's cells of a channel that is no map and no trace, from the
// lateral input in `room`.
template <bool HALF, int PLANES>
DEVICE void renew(Share *w, uint16_t *room) {
	if (w->rows < w->s.extent[1]) {
		if (w->both) column<HALF, true, 2 * PLANES>(w, (const uint32_t *)room);
		else column<HALF, false, 2 * PLANES>(w, (const uint32_t *)room);
		return;
	}
	const Tile tiles[2] = {{room}, {room + PLANES * SIDE * PITCH}};
	if (w->each % Together<HALF>::N == 0) advance<HALF, Together<HALF>::N>(w, tiles);
	else advance<HALF, 1>(w, tiles);
}

// evolve is the body of the evolve kernels.
template <bool HALF, int PLANES>
DEVICE void evolve(const Memory *mem, uint16_t *room, Share *w) {
	enum { N = Together<HALF>::N };
	stamp(mem, STAMP_EVOLVE, 0);
	if (threadIdx.x == 0) began(mem);
	claim(mem, w);
	displaced(w);
	if (!w->early) take(w);
	stamp(mem, STAMP_EVOLVE, 1);
	if (w->early || (w->ran && w->s.kind == AMARI)) lateral<HALF, PLANES>(w, room);
	stamp(mem, STAMP_EVOLVE, 2);
	if (w->early) take(w);
	stamp(mem, STAMP_EVOLVE, 3);
	if (w->ran) {
		clear(w);
		if (w->s.kind == MAPPING) w->each % N == 0 ? show<N>(w) : show<1>(w);
		else renew<HALF, PLANES>(w, room);
		stamp(mem, STAMP_EVOLVE, 4);
		publish(w->c, w, w->sums);
		if (w->flags & TRAILED) publish(w->after[0].c, w, w->trail);
		stamp(mem, STAMP_EVOLVE, 5);
		if (threadIdx.x == 0 && w->bad) atomicAdd(&w->f->not_finite, 1);
	}
	for (int n = w->flags & TRAILED ? 1 : 0; n < MAX_CHILDREN && w->after[n].c >= 0; n++) {
		if (!w->after[n].runs) continue;
		clear(w);
		if (w->each % N == 0) trace<HALF, N>(w, w->after[n]);
		else trace<HALF, 1>(w, w->after[n]);
		publish(w->after[n].c, w, w->sums);
		stamp(mem, STAMP_EVOLVE, 6 + n);
	}
	ended(w->f, w->overlap, STAGE_EVOLVE);
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
