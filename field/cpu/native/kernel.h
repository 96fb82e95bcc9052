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

// LOOP_IS names the loop that it stands in, for field/cpu/model, which cuts that loop
// out of the compiler's text. In the engines it is nothing.
#ifndef LOOP_IS
#define LOOP_IS(NAME)
#endif

// APART is a function that stays one: see tiny.h.
#ifndef APART
#define APART __attribute__((noinline))
#endif

namespace {

enum { PARTS = SIDE / LANES };

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
typedef int16_t vs __attribute__((vector_size(LANES * 4))); // twice the lanes
typedef float vf_any __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int16_t vs_any __attribute__((vector_size(LANES * 4), aligned(2)));
typedef uint16_t vh_any __attribute__((vector_size(LANES * 4), aligned(2)));
typedef int32_t vi_any __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint32_t vu_any __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

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
// lane is each lane's number. A vector whose lanes are set one by one the compiler puts
// together anew wherever it is asked for.
alignas(64) const int32_t NUMBERS[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
INLINE vi lane() { return *(const vi *)NUMBERS; }
INLINE vf strided(const float *p, int stride) {
	vf v;
	for (int k = 0; k < LANES; k++) v[k] = p[k * stride];
	return v;
}

// Each instruction set provides the operations that the compiler does not find
// by itself: loadh widens 16-bit outputs, storeh narrows them back (the values
// are 0..32768), lowest and highest are (a < b ? a : b), (a > b ? a : b); madd
// multiplies 16-bit lanes and adds neighbours, ziplow and ziphigh interleave
// two vectors within blocks of 128 bits, pack and pack_signed narrow two such blocks
// back to one in the old order, and storeh2 narrows two vectors that lie side by side.
#include LANE_OPERATIONS

#include "block.h"

#ifdef LANE_POINT
#include LANE_POINT
#else
INLINE vf reals(const uint16_t *p) { return real(loadh(p)); }
INLINE vi shares(const uint16_t *p) { return loadh(p); }
#endif
#include "point.h"

INLINE int below(int i, int axis) { return axis == AXIS_X ? (i - 1) & (SIDE - 1) : (i > 0 ? i - 1 : 0); }
INLINE int above(int i, int axis) { return axis == AXIS_X ? (i + 1) & (SIDE - 1) : (i < SIDE - 1 ? i + 1 : SIDE - 1); }

// thick is for how many bins of Z one plane of the channel stands, see field/planes.go.
INLINE int thick(const PlacedChannel *s) { return s->axis[0] == AXIS_Z ? SIDE / s->extent[0] : 1; }

#include "taps.h"

#define DOT(acc, a, b) ((vi)((vu)(acc) + (vu)madd(a, b)))
namespace plain {
#include "lateral.h"
}

// The newer processors of an instruction set may add the products in the same
// instruction: Field.dots says whether this one does.
#ifdef FUSED_DOT
#undef DOT
#define DOT FUSED_DOT
#pragma GCC push_options
#if LANES == 16
#pragma GCC target("avx512vnni")
#else
#pragma GCC target("avxvnni")
#endif
namespace fused {
#include "lateral.h"
}
#pragma GCC pop_options
#endif
#undef DOT

#include "motion.h"

// all_lanes is the sum over the lanes.
INLINE int32_t all_lanes(vi v) {
#pragma GCC unroll 4
	for (int d = LANES / 2; d > 0; d /= 2) v += __builtin_shuffle(v, lane() ^ d);
	return v[0];
}

// Sums collects a channel's marginals while its rows are written. A channel's whole
// output is 2^30 at most: no sum is larger.
struct Sums {
	vi plane, row[SIDE], column[PARTS];
	int32_t a[SIDE], total;
	bool planes, rows, columns; // whether the sums of planes, of rows, of columns are wanted

	explicit Sums(const PlacedChannel *s)
		: plane{}, column{}, total(0), planes(s->local[0]), rows(s->local[1]), columns(s->local[2]) {
		for (int b = 0; rows && b < s->extent[1]; b++) row[b] = vi{};
	}
	// add takes N vectors of row b, from part `first` on.
	template <int N>
	INLINE_MEMBER void add(int b, int first, const vi *q) {
		vi sum = q[0];
		EACH(j, N - 1) sum += q[j + 1];
		plane += sum;
		if (rows) row[b] += sum;
		if (columns) EACH(j, N) column[first + j] += q[j];
	}
	INLINE_MEMBER void plane_done(int i) {
		if (!planes) return;
		a[i] = all_lanes(plane);
		total += a[i];
		plane = vi{};
	}
	// store_thick counts a plane once for each of its bins, as all other sums cross planes.
	void store_thick(const PlacedChannel *s, Marginal *m) {
		const int times = thick(s);
		for (int i = 0; i < SIDE; i++) {
			m->z[i] = a[i / times];
			m->x[i] = all_lanes(row[i]) * times;
		}
		EACH_PART(j) *(vi_any *)(m->y + j * LANES) = column[j] * times;
		m->total = total * times;
	}
	void store(const PlacedChannel *s, Marginal *m) {
		*m = Marginal{};
		if (thick(s) > 1) return store_thick(s, m);
		const int shift = __builtin_ctz(s->repeats); // a power of 32
		int32_t *axis[5] = {0, m->x, m->y, 0, m->z};
		if (planes)
			for (int i = 0; i < SIDE; i++) axis[s->axis[0]][i] = a[i] >> shift;
		if (rows)
			for (int i = 0; i < SIDE; i++) axis[s->axis[1]][i] = all_lanes(row[i]) >> shift;
		if (columns)
			EACH_PART(j) *(vi_any *)(axis[s->axis[2]] + j * LANES) = column[j] >> shift;
		m->total = (planes ? total : all_lanes(plane)) >> shift;
	}
};

#include "diffuse.h"

// A Stimulus is one rank-1 input with its profiles along the loops A, B and R.
struct Stimulus {
	const float *a, *b, *r;
	float amp;
};

// Inputs are the terms and couplings of one channel.
struct Inputs {
	int terms, couplings;
	int leave; // which results may be flushed, see input.h
	bool sure; // that whatever is lost is nothing
	bool lost; // something was
	Stimulus term[MAX_ROWS];
	const float *proj[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS];
};

INLINE bool differs(vf a, vf b) {
	vi d = (vi)a ^ (vi)b;
	int32_t any = 0;
	for (int k = 0; k < LANES; k++) any |= d[k];
	return any != 0;
}

#include "tiny.h"
#include "input.h"
#include "evolve.h"
#include "match.h"
#include "peak.h"

} // namespace
