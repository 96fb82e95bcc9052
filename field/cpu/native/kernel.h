// The evolve pass, once, for every instruction set: a file per set defines
// LANES and LANE_OPERATIONS and includes this one. The plain loop is
// field/cpu/purego.go, and the results are equal to the bit: every product and
// sum is rounded separately (contraction is off), lateral sums are integers.
//
// What one cell computes is in point.h, which CUDA compiles too; here are the
// loops: shapes u[a][b][r], f[a][b][r], r fastest, always 32 cells.
//
// Memory per dense cell and tick: 4 B read and 4 B written for u, 2 B read and
// 2 B written for f; everything else stays in the first two cache levels.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#include "field.h"

namespace {

enum { PARTS = SIDE / LANES };

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
typedef int16_t vs __attribute__((vector_size(LANES * 4))); // twice the lanes
typedef float vf_any __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int16_t vs_any __attribute__((vector_size(LANES * 4), aligned(2)));
typedef uint16_t vh_any __attribute__((vector_size(LANES * 4), aligned(2)));

#define INLINE static INLINE_MEMBER
#define INLINE_MEMBER inline __attribute__((always_inline))
#define EACH_PART(j) _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; j++)

// stamp reads the processor's own clock; its unit cancels out in the shares.
INLINE uint64_t stamp(const Scratch *w) {
	if (!w->timing) return 0;
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t t;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#endif
}

// fetch asks for a row of activations that is needed one plane later: planes
// begin on pages of their own, where the processor's prefetcher stops.
INLINE void fetch(const float *row) {
	__builtin_prefetch(row);
	__builtin_prefetch(row + SIDE / 2);
}

INLINE vf loadf(const float *p) { return *(const vf_any *)p; }
INLINE void storef(float *p, vf v) { *(vf_any *)p = v; }
INLINE vf all(float v) { return v - (vf){}; }

// Each instruction set provides the operations that the compiler does not find
// by itself: loadh widens 16-bit outputs, storeh narrows them back (the values
// are 0..32768), lowest and highest are (a < b ? a : b), (a > b ? a : b); madd
// multiplies 16-bit lanes and adds neighbours, ziplow and ziphigh interleave
// two vectors within blocks of 128 bits, and pack narrows two such blocks back
// to one in the old order.
#include LANE_OPERATIONS

#include "block.h"

#include "point.h"

INLINE int below(int i, int axis) { return axis == AXIS_X ? (i - 1) & (SIDE - 1) : (i > 0 ? i - 1 : 0); }
INLINE int above(int i, int axis) { return axis == AXIS_X ? (i + 1) & (SIDE - 1) : (i < SIDE - 1 ? i + 1 : SIDE - 1); }

#include "lateral.h"

#include "motion.h"

// Sums collects a channel's marginals while its rows are written.
struct Sums {
	vi plane[PARTS], row[SIDE][PARTS];
	int64_t a[SIDE], total;

	INLINE int64_t sum(const vi *v) {
		int64_t t = 0;
		EACH_PART(j)
			for (int k = 0; k < LANES; k++) t += v[j][k];
		return t;
	}
	void begin() { *this = Sums{}; }
	void plane_done(int i) {
		a[i] = sum(plane);
		total += a[i];
		EACH_PART(j) plane[j] = vi{};
	}
	void store(const PlacedChannel *s, Marginal *m) {
		*m = Marginal{};
		int32_t *axis[5] = {0, m->x, m->y, 0, m->z};
		if (s->local[0])
			for (int i = 0; i < SIDE; i++) axis[s->axis[0]][i] = (int32_t)(a[i] / s->repeats);
		if (s->local[1])
			for (int i = 0; i < SIDE; i++) axis[s->axis[1]][i] = (int32_t)(sum(row[i]) / s->repeats);
		if (s->local[2])
			for (int i = 0; i < SIDE; i++) {
				int64_t t = 0;
				for (int b = 0; b < s->extent[1]; b++) t += row[b][i / LANES][i % LANES];
				axis[s->axis[2]][i] = (int32_t)(t / s->repeats);
			}
		m->total = (int32_t)(total / s->repeats);
	}
};

// Planes are the old activations around one plane of a channel: the rows are
// advanced in place, so the planes below and at the row are copies.
struct Planes {
	const float *below, *at, *above; // along loop A
};

// diffuse writes u + nu LAP(u) of row b of a plane into d. Where it diffuses
// along the row the plane lies in scratch, with memory on both sides of it.
INLINE void diffuse(const PlacedChannel *s, const Planes &p, int b, float nu, vf *d) {
	const float *centre = p.at + b * SIDE;
	EACH_PART(j) d[j] = loadf(centre + j * LANES);
	if (nu == 0) return;
	vf sum[PARTS] = {};
	float count = 0;
	if (s->local[0]) {
		EACH_PART(j) sum[j] += loadf(p.below + b * SIDE + j * LANES) + loadf(p.above + b * SIDE + j * LANES);
		count += 2;
	}
	if (s->local[1]) {
		const float *lo = p.at + below(b, s->axis[1]) * SIDE, *hi = p.at + above(b, s->axis[1]) * SIDE;
		EACH_PART(j) sum[j] += loadf(lo + j * LANES) + loadf(hi + j * LANES);
		count += 2;
	}
	if (s->local[2]) {
		vf lo[PARTS], hi[PARTS]; // the rows' ends are put right afterwards
		EACH_PART(j) {
			lo[j] = loadf(centre + j * LANES - 1);
			hi[j] = loadf(centre + j * LANES + 1);
		}
		lo[0][0] = centre[below(0, s->axis[2])];
		hi[PARTS - 1][LANES - 1] = centre[above(SIDE - 1, s->axis[2])];
		EACH_PART(j) sum[j] += lo[j] + hi[j];
		count += 2;
	}
	EACH_PART(j) d[j] = diffused(d[j], nu, sum[j], count);
}

// A Stimulus is one rank-1 input with its profiles along the loops A, B and R.
struct Stimulus {
	const float *a, *b, *r;
	float amp;
};

// Inputs are the terms and couplings of one channel.
struct Inputs {
	int terms, couplings;
	Stimulus term[MAX_ROWS];
	const float *proj[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS];
};

alignas(64) const float ONES[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
									  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

INLINE const float *profile(const float rows[3][SIDE], int axis) {
	return axis == 0 ? ONES : rows[axis >> 1]; // 1, 2, 4 to 0, 1, 2
}

// collect finds the channel's inputs once per tick.
INLINE void collect(const Frame *f, const PlacedChannel *s, int c, Inputs *in) {
	in->terms = in->couplings = 0;
	for (int n = f->start[c]; n < f->start[c + 1]; n++) {
		int t = f->index[n];
		in->term[in->terms++] = Stimulus{profile(f->rows[t], s->axis[0]), profile(f->rows[t], s->axis[1]),
									 profile(f->rows[t], s->axis[2]), f->amp[t]};
	}
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) {
			in->proj[in->couplings] = f->proj[i];
			in->weight[in->couplings++] = f->weight[i];
		}
}

// input is S of row (a, b).
INLINE void input(const Inputs *in, const PlacedChannel *s, int a, int b, vf *sum) {
	EACH_PART(j) sum[j] = vf{};
	for (int n = 0; n < in->terms; n++) {
		const Stimulus *t = &in->term[n];
		float w = t->a[a] * t->amp * t->b[b];
		EACH_PART(j) sum[j] += w * loadf(t->r + j * LANES);
	}
	for (int n = 0; n < in->couplings; n++) {
		const float *at = in->proj[n] + a * s->pack[0] + b * s->pack[1];
		EACH_PART(j)
			sum[j] += in->weight[n] * (s->pack[2] ? loadf(at + j * LANES) : all(*at));
	}
	EACH_PART(j) sum[j] = clipped(sum[j]);
}

#include "evolve.h"
#include "match.h"
#include "peak.h"

} // namespace
