//go:build !cuda

// Loops of the preparation (field.Loops), four lanes at a time on every processor: they
// are too short to be worth a version per instruction set.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#include "prep.h"

namespace {

typedef float v4 __attribute__((vector_size(16)));
typedef float v4_any __attribute__((vector_size(16), aligned(4), may_alias));

enum { PADDED_ROW = SIDE + 3, PADDED_CELLS = (SIDE + 1) * PADDED_ROW };
const float FAINT = 1e-30f;

inline v4 load(const float *p) { return *(const v4_any *)p; }
inline v4 all(float v) { return v4{v, v, v, v}; }
inline v4 greater(v4 a, v4 b) { return a > b ? a : b; }

// dot adds lane by lane of 32, then the lanes as a tree (field.dot).
inline float dot(const float *a, const float *b) {
	v4 l[8] = {};
	for (int k = 0; k < REGRESSORS - 1; k += SIDE)
#pragma GCC unroll 8
		for (int i = 0; i < 8; i++) l[i] += load(a + k + 4 * i) * load(b + k + 4 * i);
	l[0][0] += a[REGRESSORS - 1] * b[REGRESSORS - 1];
#pragma GCC unroll 3
	for (int d = 4; d > 0; d /= 2)
		for (int i = 0; i < d; i++) l[i] += l[i + d];
	return (l[0][0] + l[0][2]) + (l[0][1] + l[0][3]);
}

// floored sets the floor of v, which an int32_t holds, and the rest.
inline void floored(float v, int32_t *whole, float *rest) {
	int32_t n = (int32_t)v;
	n -= (float)n > v;
	*whole = n;
	*rest = v - (float)n;
}

// peak is the largest lane, or 0.
inline float peak(v4 v) {
	float m = 0;
	for (int i = 0; i < 4; i++) m = v[i] > m ? v[i] : m;
	return m;
}

} // namespace

void fieldbrain_displace(const Places *w, const float *sin, const float *cos, const float *near, float forward, float shift) {
	for (int x = 0; x < SIDE; x++)
		for (int y = 0; y < SIDE; y++) {
			const int i = x * SIDE + y;
			const float step = forward * near[y];
			const float x0 = (float)x + (shift - step * sin[x]);
			float y0 = (float)y + step * cos[x];
			y0 = y0 < -1 ? -1 : y0;
			y0 = y0 > SIDE ? SIDE : y0;
			floored(x0, &w->x0[i], &w->wx[i]);
			w->x0[i] &= SIDE - 1;
			floored(y0, &w->y0[i], &w->wy[i]);
		}
}

// The three maps lie side by side in the lanes, with an empty fourth.
void fieldbrain_carry(const Planes *m, const Places *w) {
	v4 old[PADDED_CELLS];
	for (int x = 0; x <= SIDE; x++) {
		v4 *row = old + x * PADDED_ROW;
		row[0] = row[SIDE + 1] = row[SIDE + 2] = v4{};
		const int from = x % SIDE * SIDE;
		for (int y = 0; y < SIDE; y++) row[y + 1] = v4{m->obstacle[from + y], m->hazard[from + y], m->visited[from + y], 0};
	}
	for (int i = 0; i < PLANE; i++) {
		const v4 *o = old + w->x0[i] * PADDED_ROW + w->y0[i] + 1;
		const v4 wx = all(w->wx[i]), wy = all(w->wy[i]);
		const v4 near = o[0] + wx * (o[PADDED_ROW] - o[0]), far = o[1] + wx * (o[PADDED_ROW + 1] - o[1]);
		const v4 to = near + wy * (far - near);
		m->obstacle[i] = to[0];
		m->hazard[i] = to[1];
		m->visited[i] = to[2];
	}
}

void fieldbrain_fade(const Planes *m, float visit, int32_t bins, const float *keep) {
	for (int x = 0; x < SIDE; x++)
		for (int y = 0; y < bins; y++) {
			const float v = m->visited[x * SIDE + y];
			m->visited[x * SIDE + y] = v + visit * (1 - v);
		}
	float *plane[3] = {m->obstacle, m->hazard, m->visited};
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < PLANE; i += 4) {
			const v4 v = load(plane[k] + i) * keep[k];
			*(v4_any *)(plane[k] + i) = (v < FAINT) & (v > -FAINT) ? v4{} : v;
		}
}

void fieldbrain_look(const Planes *m, const Eye *e, Glance *g) {
	float on[3 * SIDE], off[3 * SIDE]; // the circle, three times round
	for (int x = 0; x < SIDE; x++) {
		v4 most[4] = {};
		for (int y = 0; y < SIDE; y += 4) {
			const int i = x * SIDE + y;
			const v4 obstacle = load(m->obstacle + i), far = load(e->far + y);
			most[0] = greater(load(e->near + y) * obstacle, most[0]);
			most[1] = greater(far * obstacle, most[1]);
			most[2] = greater(far * load(m->hazard + i), most[2]);
			most[3] = greater(load(e->between + y) * load(m->visited + i), most[3]);
		}
		on[x] = on[x + SIDE] = on[x + 2 * SIDE] = peak(most[0]);
		off[x] = off[x + SIDE] = off[x + 2 * SIDE] = peak(most[1]);
		g->hazard[x] = peak(most[2]);
		g->visited[x] = peak(most[3]);
	}
	for (int x = 0; x < SIDE; x += 4) {
		v4 best = {};
		for (int k = -6; k <= 6; k++) {
			const int d = k < 0 ? -k : k, from = SIDE + x + k;
			best = greater(load(on + from) * e->spread_on[d], best);
			best = greater(load(off + from) * e->spread_off[d], best);
		}
		*(v4_any *)(g->blocked + x) = best;
	}
}

void fieldbrain_learn(float *w, const float *r, const float *gain, const float *known, float decay) {
	for (int i = 0; i < NUM_SENSES; i++) {
		if (known[i] == 0) continue;
		float *row = w + i * REGRESSORS;
		const float g = gain[i];
		for (int j = 0; j < REGRESSORS; j++) row[j] = row[j] + g * r[j] - decay * row[j];
	}
}

void fieldbrain_expect(const float *w, const float *r, float *hat) {
	for (int i = 0; i < NUM_SENSES; i++) hat[i] = dot(w + i * REGRESSORS, r);
}
