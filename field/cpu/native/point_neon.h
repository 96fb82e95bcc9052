// Functions of point.h in forms that suit NEON: the same bits in fewer operations.
// Included by kernel.h before point.h, whose templates then find these first.
//
// Factors that are powers of two move through products and sums without changing a
// digit, nothing here being near the ends of the range.

// whole_below is the whole number of 2^-BITS in v, towards zero, and 0 below it.
template <int BITS>
INLINE vi whole_below(vf v) { return (vi)vcvtq_n_u32_f32(v, BITS); }

// output rounds f 2^15 to the nearest: a half is added before the conversion scales.
template <int N>
INLINE Block<vi, N> output(const Block<vf, N> &u, bool amari) {
	Block<vi, N> to;
	if (amari) {
		// t2 is 2t, so that t2 t2 (3 - t2) is 4 phi
		Block<vf, N> t2 = lowest(highest((u + 3.0f) * (2 * (float)(1.0 / 6)), 0), 2);
		Block<vf, N> four = (t2 * t2) * (3.0f - t2) + 0x1p-14f;
		EACH(j, N) to.v[j] = whole_below<13>(four.v[j]);
		return to;
	}
	// the conversion keeps what is below 0 at 0, and what is above 1 above 2^15
	EACH(j, N) to.v[j] = (vi)vminq_u32(vcvtq_n_u32_f32(u.v[j] + 0x1p-16f, 15), vdupq_n_u32(ONE));
	return to;
}

INLINE vi output(vf u, bool amari) { return output(Block<vf, 1>{{u}}, amari).v[0]; }

// settle compares magnitudes. GCC 12 makes two operations of vcagtq_f32 where one side is
// known.
INLINE vf settle(vf v) {
	vi faint;
	__asm__("facgt %0.4s, %1.4s, %2.4s" : "=w"(faint) : "w"(all(FAINT)), "w"(v));
	return (vf)((vi)v & ~faint);
}

template <int N>
INLINE Block<vf, N> settle(const Block<vf, N> &v) {
	Block<vf, N> to;
	EACH(j, N) to.v[j] = settle(v.v[j]);
	return to;
}

// An Output is a vector of outputs as whole numbers of 2^-15, exactly.
struct Output {
	vf v;
};

// shares are four outputs: they become the last 16 bits of numbers from 256 on, whose
// last digit is 2^-15.
INLINE Output shares(const uint16_t *p) {
	const int16x8_t low = vcombine_s16(vld1_s16((const int16_t *)p), vdup_n_s16(0));
	return {(vf)vzip1q_s16(low, vdupq_n_s16(0x4380)) - 256.0f};
}

// follow is that of point.h; an output comes as a share of the whole.
INLINE vf follow(const Coef &k, bool gated, vf v, Output q) {
	vf next = v + k.alpha * (q.v - v);
	if (gated) next = choose(q.v <= 0.5f, v * k.keep, next);
	return settle(next);
}
