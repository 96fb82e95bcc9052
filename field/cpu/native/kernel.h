// The evolve pass, once, for every instruction set: a file per set defines
// LANES and LANE_OPERATIONS and includes this one. The plain loop is
// field/cpu/purego.go, and the results are equal to the bit: every product and
// sum is rounded separately (contraction is off), lateral sums are integers.
//
//   u~ = ADV(u)    d = u~ + nu LAP(u~)
//   b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//   u' = d + alpha (b - d) + q' xi
//
// Memory per dense cell and tick: 4 B read and 4 B written for u, 2 B read and
// 2 B written for f; everything else stays in the first two cache levels.

#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")

#include "frame.h"

namespace {

enum { PARTS = SIDE / LANES };

typedef float vf __attribute__((vector_size(LANES * 4)));
typedef int32_t vi __attribute__((vector_size(LANES * 4)));
typedef uint32_t vu __attribute__((vector_size(LANES * 4)));
typedef float vf_any __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int32_t vi_any __attribute__((vector_size(LANES * 4), aligned(4)));

#define INLINE static inline __attribute__((always_inline))
#define EACH_PART(j) _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; j++)

INLINE vf loadf(const float *p) { return *(const vf_any *)p; }
INLINE void storef(float *p, vf v) { *(vf_any *)p = v; }
INLINE vi loadi(const int32_t *p) { return *(const vi_any *)p; }
INLINE vf all(float v) { return v - (vf){}; }
INLINE vf tofloat(vi v) { return __builtin_convertvector(v, vf); }

// Each instruction set provides four operations that the compiler does not
// find by itself: loadh widens 16-bit outputs, storeh narrows them back (the
// values are 0..32768), lowest and highest are (a < b ? a : b), (a > b ? a : b).
#include LANE_OPERATIONS

const int32_t EXCITE[5] = {6690, 5904, 4058, 2172, 905};
const int32_t INHIBIT[9] = {3382, 3276, 2983, 2551, 2050, 1548, 1097, 731, 457};

// output is phi(u) in Q15: the interval sigmoid of an Amari channel, or the
// ramp of a linear one.
INLINE vi output(vf u, bool amari) {
	vf f;
	if (amari) {
		vf t = lowest(highest((u + 3.0f) * (float)(1.0 / 6), all(0)), all(1));
		f = (t * t) * (3.0f - 2.0f * t);
	} else {
		f = lowest(highest(u, all(0)), all(1));
	}
	return __builtin_convertvector(f * 32768.0f + 0.5f, vi);
}

INLINE vu mix(vu h) {
	h ^= h >> 16;
	h *= 0x85ebca6b;
	h ^= h >> 13;
	h *= 0xc2b2ae35;
	h ^= h >> 16;
	return h;
}

// noise is xi of LANES cells.
INLINE vf noise(vu cell, uint32_t channel, uint32_t tick_key) {
	vu a = mix((cell + (uint32_t)CELLS * channel) ^ tick_key);
	vu b = mix(a ^ 0x9E3779B9u);
	vi sum = (vi)((a & 0xffff) + (a >> 16) + (b & 0xffff) + (b >> 16));
	return tofloat(sum - 2 * 65535) * (float)(1.7320508075688772 / 65536);
}

INLINE int below(int i, int axis) { return axis == AXIS_X ? (i - 1) & 31 : (i > 0 ? i - 1 : 0); }
INLINE int above(int i, int axis) { return axis == AXIS_X ? (i + 1) & 31 : (i < 31 ? i + 1 : 31); }

// across convolves along slot A or B: rows stand `stride` cells apart. Each
// line of 32 rows is widened once into a buffer with a halo of 8 rows on both
// sides, so that every tap is a plain load.
template <int HALF>
void across(const uint16_t *f, uint16_t *dst, int outer, int outer_stride, int stride, bool wrap,
			const int32_t *w) {
	vi pad[8 + SIDE + 8][PARTS] = {};
	vi (*line)[PARTS] = pad + 8;
	for (int o = 0; o < outer; o++) {
		const uint16_t *from = f + o * outer_stride;
		uint16_t *to = dst + o * outer_stride;
		for (int i = 0; i < SIDE; i++)
			EACH_PART(j) line[i][j] = loadh(from + i * stride + j * LANES);
		if (wrap)
			for (int d = 0; d < 8; d++)
				EACH_PART(j) {
					pad[d][j] = line[SIDE - 8 + d][j];
					line[SIDE + d][j] = line[d][j];
				}
		for (int i = 0; i < SIDE; i++)
			EACH_PART(j) {
				vi sum = line[i][j] * w[0] + (1 << 14);
				_Pragma("GCC unroll 8") for (int d = 1; d < HALF; d++) sum += (line[i - d][j] + line[i + d][j]) * w[d];
				storeh(to + i * stride + j * LANES, sum >> 15);
			}
	}
}

// along convolves within each row.
template <int HALF>
void along(const uint16_t *f, uint16_t *dst, int size, bool wrap, const int32_t *w) {
	int32_t pad[8 + SIDE + 8] = {};
	for (int i = 0; i < size; i += SIDE) {
		for (int j = 0; j < SIDE; j += LANES) *(vi_any *)(pad + 8 + j) = loadh(f + i + j);
		if (wrap)
			for (int d = 0; d < 8; d++) {
				pad[d] = pad[SIDE + d];
				pad[8 + SIDE + d] = pad[8 + d];
			}
		for (int j = 0; j < SIDE; j += LANES) {
			const int32_t *at = pad + 8 + j;
			vi sum = loadi(at) * w[0] + (1 << 14);
			_Pragma("GCC unroll 8") for (int d = 1; d < HALF; d++) sum += (loadi(at - d) + loadi(at + d)) * w[d];
			storeh(dst + i + j, sum >> 15);
		}
	}
}

// lateral convolves the outputs with one kernel over every localised axis in
// the order X, Y, Z, each pass rounded and shifted back to Q15.
template <int HALF>
void lateral(const Sheet *s, const uint16_t *f, uint16_t *dst, uint16_t *tmp, const int32_t *w) {
	int passes = s->local[0] + s->local[1] + s->local[2];
	const uint16_t *from = f;
	for (int slot = 0; slot < 3; slot++) {
		if (!s->local[slot]) continue;
		uint16_t *to = --passes % 2 ? tmp : dst;
		bool wrap = s->axis[slot] == AXIS_X;
		if (slot == 0) // a row of SIDE planes: every row of a plane is an outer loop
			across<HALF>(from, to, s->extent[1], SIDE, s->extent[1] * SIDE, wrap, w);
		else if (slot == 1)
			across<HALF>(from, to, s->extent[0], PLANE, SIDE, wrap, w);
		else
			along<HALF>(from, to, s->size, wrap, w);
		from = to;
	}
}

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
	void store(const Sheet *s, Marginal *m) {
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

// diffuse writes u + nu LAP(u) of row (a, b) into d.
INLINE void diffuse(const Sheet *s, const float *u, int a, int b, float nu, vf *d) {
	const float *centre = u + (a * s->extent[1] + b) * SIDE;
	EACH_PART(j) d[j] = loadf(centre + j * LANES);
	if (nu == 0) return;
	vf sum[PARTS] = {};
	float count = 0;
	if (s->local[0]) {
		const float *lo = u + (below(a, s->axis[0]) * s->extent[1] + b) * SIDE;
		const float *hi = u + (above(a, s->axis[0]) * s->extent[1] + b) * SIDE;
		EACH_PART(j) sum[j] += loadf(lo + j * LANES) + loadf(hi + j * LANES);
		count += 2;
	}
	if (s->local[1]) {
		const float *lo = u + (a * s->extent[1] + below(b, s->axis[1])) * SIDE;
		const float *hi = u + (a * s->extent[1] + above(b, s->axis[1])) * SIDE;
		EACH_PART(j) sum[j] += loadf(lo + j * LANES) + loadf(hi + j * LANES);
		count += 2;
	}
	if (s->local[2]) {
		float pad[1 + SIDE + 1];
		EACH_PART(j) storef(pad + 1 + j * LANES, d[j]);
		pad[0] = centre[below(0, s->axis[2])];
		pad[1 + SIDE] = centre[above(31, s->axis[2])];
		EACH_PART(j) sum[j] += loadf(pad + j * LANES) + loadf(pad + 2 + j * LANES);
		count += 2;
	}
	EACH_PART(j) d[j] = d[j] + nu * (sum[j] - count * d[j]);
}

// Term is one rank-1 input with its profiles along the slots A, B and R.
struct Term {
	const float *a, *b, *r;
	float amp;
};

// Inputs are the terms and couplings of one channel.
struct Inputs {
	int terms, couplings;
	Term term[MAX_TERMS + 1];
	const float *proj[MAX_COUPLINGS];
	float weight[MAX_COUPLINGS];
};

alignas(64) const float ONES[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
									  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

INLINE const float *profile(const float rows[3][SIDE], int axis) {
	return axis == 0 ? ONES : rows[axis >> 1]; // 1, 2, 4 to 0, 1, 2
}

// collect finds the channel's inputs once per tick.
INLINE void collect(const Frame *f, const Sheet *s, int c, Inputs *in) {
	in->terms = in->couplings = 0;
	for (int n = f->start[c]; n < f->start[c + 1]; n++) {
		int t = f->index[n];
		in->term[in->terms++] = Term{profile(f->rows[t], s->axis[0]), profile(f->rows[t], s->axis[1]),
									 profile(f->rows[t], s->axis[2]), f->amp[t]};
	}
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) {
			in->proj[in->couplings] = f->proj[i];
			in->weight[in->couplings++] = f->weight[i];
		}
}

// input sums the terms and couplings of row (a, b), clipped to [-20, 12].
INLINE void input(const Inputs *in, const Sheet *s, int a, int b, vf *sum) {
	EACH_PART(j) sum[j] = vf{};
	for (int n = 0; n < in->terms; n++) {
		const Term *t = &in->term[n];
		float w = t->a[a] * t->amp * t->b[b];
		EACH_PART(j) sum[j] += w * loadf(t->r + j * LANES);
	}
	for (int n = 0; n < in->couplings; n++) {
		const float *at = in->proj[n] + a * s->pack[0] + b * s->pack[1];
		EACH_PART(j)
			sum[j] += in->weight[n] * (s->pack[2] ? loadf(at + j * LANES) : all(*at));
	}
	EACH_PART(j) sum[j] = lowest(highest(sum[j], all(-20)), all(12));
}

#include "evolve.h"

} // namespace
