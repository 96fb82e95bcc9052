// The field's equation at one cell, once for C++ and CUDA, without loops and
// without memory. field/doc.go explains the symbols; field/cpu/purego.go is Go's
// own text and field/reference the independent one.
//
//   d  = u + nu LAP(u)
//   b  = h + S - min(40, c_glob F) + c_exc G2*f - c_inh G4*f + c_pre p
//   u' = d + alpha (b - d) + q' xi + what recalled patterns add
//
// V stands for a cell: a float on a card, a vector or a block of vectors on a
// processor. Whoever includes this header defines POINT, which declares such a
// function, and for every V, with whole numbers I and U and a mask M:
//
//   lowest(V, float), highest(V, float)   the lesser, the greater
//   real(I), real(U), whole(V)            to float, and back towards zero
//   choose(M, V, V)                       the first where M holds, else the second
//   scale_add(V v, float k, c)            v k + c with c a V or a float, where v k is exact
//
// Each product and each sum is rounded by itself: every compiler that sees this
// header has contraction off. What is exact anyway may be rounded once with the sum.
#ifndef FIELDBRAIN_POINT_H
#define FIELDBRAIN_POINT_H

#include "shared.h"

// Parts of the equation that a channel may lack.
enum { ACTIVE = 1, INHIBITED = 2, PRESHAPED = 4, NOISY = 8, LED = 16, NEXT_PART = 32 };

// output is phi(u) in Q15: the interval sigmoid of an Amari channel, t t (3 - 2 t), the ramp
// of the others. A power of two goes into any factor of a product without changing a digit.
template <class V>
POINT auto output(V u, bool amari) {
	if (!amari) return whole(scale_add(lowest(highest(u, 0), 1), ONE, 0.5f));
	V t = lowest(highest((u + 3.0f) * (float)(1.0 / 6), 0), 1);
	return whole((t * t) * scale_add(t, -2.0f * ONE, 3.0f * ONE) + 0.5f);
}

// settle returns v, or 0 where it has become faint.
template <class V>
POINT V settle(V v) { return choose((v < FAINT) & (v > -FAINT), V{}, v); }

// mix is the finaliser of MurmurHash3.
template <class U>
POINT U mix(U h) {
	h ^= h >> 16;
	h *= 0x85ebca6bu;
	h ^= h >> 13;
	h *= 0xc2b2ae35u;
	h ^= h >> 16;
	return h;
}

// noise is xi of a cell: four uniforms of 16 bits, centred, of unit variance.
template <class U>
POINT auto noise(U cell, uint32_t channel, uint32_t tick_key) {
	U a = mix((cell + (uint32_t)CELLS * channel) ^ tick_key), b = mix(a ^ 0x9E3779B9u);
	return real((a & 0xffffu) + (a >> 16) + (b & 0xffffu) + (b >> 16) - 2 * 65535u) * NOISE_SCALE;
}

// lerp goes the share w of the way from a to b.
template <class V>
POINT V lerp(V a, V b, float w) { return a + w * (b - a); }

// diffused is u + nu LAP(u); sum is that of its `count` neighbours.
template <class V>
POINT V diffused(V u, float nu, V sum, float count) { return u + nu * (sum - count * u); }

// clipped is S: the sum of stimuli and couplings, clipped.
template <class V>
POINT V clipped(V sum) { return lowest(highest(sum, -20), 12); }

// global is the inhibition of a channel by the sum of its own outputs.
POINT float global(const Coef &k, int32_t total) { return lowest((float)total * k.global, 40); }

// drive is b of a cell: s is its input, base the global inhibition. `at` gives the
// rest when the equation asks for it.
template <class V, class Cell>
POINT V drive(const Coef &k, int parts, V s, float base, const Cell &at) {
	V b = k.resting + s;
	if (parts & ACTIVE) b = b - base + at.excitation() * k.excite;
	if (parts & INHIBITED) b = b - at.inhibition() * k.inhibit;
	if (parts & PRESHAPED) b = b + k.preshape * at.trace();
	return b;
}

// relax is u' of a cell whose diffused activation is d and whose drive is b. Those
// of linear channels decay and settle.
template <class V, class Cell>
POINT V relax(const Coef &k, int parts, bool amari, V d, V b, const Cell &at) {
	V u = d + k.alpha * (b - d);
	if (parts & NOISY) u = u + k.noise * at.noise();
	if (parts & LED) u = u + at.recalled(d);
	return amari ? u : settle(u);
}

// recalled is what the three best patterns, of activations p, q and r, add to a
// cell whose diffused activation is d.
template <class V>
POINT V recalled(const Lead &l, V d, V p, V q, V r) {
	return l.rate * (l.weight[0] * p + l.weight[1] * q + l.weight[2] * r - l.pull * d);
}

// follow is v' of a trace v whose channel has the output q: it goes towards the
// output, or, if it is gated and the channel is silent, is forgotten.
template <class V, class I>
POINT V follow(const Coef &k, bool gated, V v, I q) {
	V next = v + k.alpha * scale_add(real(q), 1.0f / ONE, -v);
	if (gated) next = choose(q <= ONE / 2, v * k.keep, next);
	return settle(next);
}

#endif
