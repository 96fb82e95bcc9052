// What the processor's files add to the steps: the loop over all cars, and what the
// bench and the tests measure.

#include "clock.h"

namespace {

// ahead asks for the lines that cars take their steps with, while others take theirs.
INLINE void ahead(const Shape *shape, const Cars &c) {
#pragma GCC unroll 32
	for (int i = 0; i < F_TOP_SPEED; i++) ask_to_write(c.f + i * BLOCK);
	if (!shape->sensing) return;
#pragma GCC unroll 8
	for (int i = F_COUNTS; i < F_FIELDS; i++) ask_to_write(c.f + i * BLOCK);
#pragma GCC unroll 8
	for (int i = K_FLOOR; i < K_KEYS; i++) ask(c.keys + i * BLOCK);
	for (int i = 0; i < shape->sonars; i++) ask(c.keys + (K_SONAR + i) * BLOCK), ask(c.keys + (K_SOFT + i) * BLOCK);
}

void blocks(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) {
	Waiting w;
	w.pings.fields = fields, w.pings.keys = keys, w.pings.n = 0, w.looks.n = 0;
	for (int b = first; b < last; b++)
		for (int lane = 0; lane < BLOCK && b * BLOCK + lane < s->cars; lane += WIDTH) {
			if (lane % 8 == 0 && b + 1 < last) ahead(s, cars(s, fields, keys, b + 1, lane));
			run(s, cars(s, fields, keys, b, lane), n, w);
		}
	glances(w.looks);
	if (w.pings.n) answer(s, w.pings, w.pings.n);
}

// peak keeps every unit for vectors busy, n times: with 8 fused and 6 plain additions
// that wait only for themselves of a turn before. FUSED is how many instructions the former are.
double peak(int n) {
	const V k = splat(0.5);
	V a = k, b = k, c = k, d = k, e = k, f = k, g = k, h = k, i = k, j = k, l = k, m = k, o = k, p = k;
	for (; n > 0; n--) {
		a = fused(a, k, k), b = fused(b, k, k), c = fused(c, k, k), d = fused(d, k, k);
		e = fused(e, k, k), f = fused(f, k, k), g = fused(g, k, k), h = fused(h, k, k);
		i = i + k, j = j + k, l = l + k, m = m + k, o = o + k, p = p + k;
		__asm__("" : "+" REGISTER(a), "+" REGISTER(b), "+" REGISTER(c), "+" REGISTER(d), "+" REGISTER(e), "+" REGISTER(f), "+" REGISTER(g));
		__asm__("" : "+" REGISTER(h), "+" REGISTER(i), "+" REGISTER(j), "+" REGISTER(l), "+" REGISTER(m), "+" REGISTER(o), "+" REGISTER(p));
	}
	return least(a + b + c + d + e + f + g + h + i + j + l + m + o + p);
}

// errors are the largest differences of nearly_unit from unit in n times WIDTH places of
// -8 .. 8, and of nearly_normal, where it is sure, from normal in as many places of a
// stream.
void errors(int n, double *units, double *normals) {
	V worst = {}, worst_normal = {}, number = {};
	for (int i = 0; i < WIDTH; i++) number[i] = 2 * i + 1;
	for (; n > 0; n--, number = number + 2 * WIDTH) {
		I sure;
		V x = 16 * uniform(U{}, number) - 8, c, s, cn, sn;
		unit(x, &c, &s), nearly_unit(x, &cn, &sn);
		c = absolute(c - cn), s = absolute(s - sn), c = c > s ? c : s;
		worst = c > worst ? c : worst;
		U at = place(number);
		V e = absolute(nearly_normal(mix(at), mix(at + GOLDEN), &sure) - normal(U{}, number));
		e = sure ? e : V{};
		worst_normal = e > worst_normal ? e : worst_normal;
	}
	for (int i = 0; i < WIDTH; i++) {
		*units = worst[i] > *units ? worst[i] : *units;
		*normals = worst_normal[i] > *normals ? worst_normal[i] : *normals;
	}
}

} // namespace

#define DEFINE(ISA)                                                                                             \
	void vector_step_##ISA(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) { \
		blocks(s, fields, keys, first, last, n);                                                               \
	}                                                                                                          \
	double vector_peak_##ISA(int n) { return peak(n); }                                                        \
	int vector_peak_size_##ISA() { return 8 * FUSED + 6; }                                                     \
	void vector_errors_##ISA(int n, double *units, double *normals) { errors(n, units, normals); }
