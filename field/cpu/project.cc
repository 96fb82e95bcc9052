//go:build !cuda

// The projection of a coupling (field.Projection): sums of integers, in any order.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#include "prep.h"

namespace {

typedef uint32_t v4 __attribute__((vector_size(16)));
typedef uint32_t v4_any __attribute__((vector_size(16), aligned(2), may_alias));

// whole sums a row of 32 outputs, two of them in each lane.
inline int32_t whole(const uint16_t *f) {
	v4 sum = {};
#pragma GCC unroll 4
	for (int i = 0; i < SIDE; i += 8) {
		const v4 two = *(const v4_any *)(f + i);
		sum += (two & 0xffff) + (two >> 16);
	}
	return (int32_t)((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

// row sums n outputs that lie side by side.
inline int32_t row(const uint16_t *f, int n) {
	if (n == SIDE) return whole(f);
	int32_t sum = 0;
	for (int i = 0; i < n; i++) sum += f[i];
	return sum;
}

inline float output(int32_t sum, int32_t scale) {
	sum *= scale;
	return (float)(sum < ONE ? sum : ONE) * (1.0f / ONE);
}

// A Cut is a projection seen along the axis on which the source's cells lie side by side.
struct Cut {
	const Projection *p;
	int inner, a, b;  // that axis, and the other two
	int32_t place[3]; // from one of the target's cells to the next

	explicit Cut(const Projection *q) : p(q), inner(2) {
		for (int k = 0; k < 3; k++)
			if (p->stride[k] == 1) inner = k;
		a = inner == 0 ? 1 : 0;
		b = 3 - inner - a;
		place[2] = 1, place[1] = p->extent[2], place[0] = p->extent[1] * p->extent[2];
	}

	int32_t bin(int axis, int32_t i) const { return axis == 2 && p->thick > 1 ? i / p->thick : i; }

	// cell sets one cell to a sum over whole rows.
	void cell(float *dst, const uint16_t *f) const {
		int32_t sum = 0;
		for (int i = 0; i < p->sum[a]; i++)
			for (int j = 0; j < p->sum[b]; j++) sum += row(f + i * p->stride[a] + j * p->stride[b], p->sum[inner]);
		*dst = output(sum, p->scale);
	}

	// line sets the cells along the inner axis, each to a sum across it.
	void line(float *dst, const uint16_t *f) const {
		int32_t sum[SIDE] = {};
		const int n = bin(inner, p->extent[inner] - 1) + 1;
		for (int i = 0; i < p->sum[a]; i++)
			for (int j = 0; j < p->sum[b]; j++) {
				const uint16_t *from = f + i * p->stride[a] + j * p->stride[b];
				for (int k = 0; k < n; k++) sum[k] += from[k];
			}
		for (int k = 0; k < p->extent[inner]; k++) dst[k * place[inner]] = output(sum[bin(inner, k)], p->scale);
	}
};

} // namespace

void fieldbrain_project(float *dst, const uint16_t *outputs, const Projection *p) {
	const Cut c(p);
	const bool along = p->extent[c.inner] > 1 && p->stride[c.inner] == 1;
	for (int i = 0; i < p->extent[c.a]; i++)
		for (int j = 0; j < p->extent[c.b]; j++) {
			const uint16_t *from = outputs + c.bin(c.a, i) * p->stride[c.a] + c.bin(c.b, j) * p->stride[c.b];
			float *to = dst + i * c.place[c.a] + j * c.place[c.b];
			if (along)
				c.line(to, from);
			else
				for (int k = 0; k < p->extent[c.inner]; k++) c.cell(to + k * c.place[c.inner], from + c.bin(c.inner, k) * p->stride[c.inner]);
		}
}
