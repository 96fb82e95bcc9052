// Sine, cosine and normal numbers with a tenth of the work and a bound on their error.
// Whoever uses one looks whether the exact one can only round to the same result, and
// where that is not sure computes the exact one: no bit changes (Ziv 1991,
// doi:10.1145/114697.116813). nearly_test.go measures the bounds.

namespace {

// UNIT_ERROR is more than nearly_unit's and unit's errors together, and what the
// roundings of a product and of the bounds themselves add.
constexpr double UNIT_ERROR = 0x1p-50;

// nearly_unit is unit for |x| <= 8: both reduce to |r| <= pi/4 and a bit; the series
// are those of FDLIBM's kernels, within 2^-57 (Sun Microsystems 1993).
INLINE void nearly_unit(V x, V *c, V *s) {
	V k = fused(x, splat(TWO_OVER_PI), splat(MAGIC));
	I q = (I)k;
	k = k - MAGIC;
	V r = fused(-k, splat(HALF_PI_LO), fused(-k, splat(HALF_PI_HI), x)), z = r * r;
#define NEXT(P, C) P = fused(P, z, splat(C));
	V a = splat(0x1.5d93a5acfd57cp-33), b = splat(-0x1.8fae9be8838d4p-37);
	NEXT(a, -0x1.ae5e68a2b9cebp-26) NEXT(b, 0x1.1ee9ebdb4b1c4p-29)
	NEXT(a, 0x1.71de357b1fe7dp-19) NEXT(b, -0x1.27e4f809c52adp-22)
	NEXT(a, -0x1.a01a019c161d5p-13) NEXT(b, 0x1.a01a019cb1590p-16)
	NEXT(a, 0x1.111111110f8a6p-7) NEXT(b, -0x1.6c16c16c15177p-10)
	NEXT(a, -0x1.5555555555549p-3) NEXT(b, 0x1.555555555554cp-5)
	a = fused(z * r, a, r);
	b = fused(z * z, b, fused(splat(-0.5), z, splat(1)));
	I odd = -(q & 1);
	V sin = odd ? b : a, cos = odd ? a : b;
	*s = (V)((I)sin ^ (q << 62 & INT64_MIN));
	*c = (V)((I)cos ^ ((q + 1) << 62 & INT64_MIN));
}

// NORMAL_ERROR is more than how far nearly_normal is from normal where it is sure.
constexpr double NORMAL_ERROR = 5e-7;

// nearly_normal is the normal number of two hashes. It is not sure of the smallest and
// of the largest radii, one in 2000.
INLINE V nearly_normal(U first, U second, I *sure) {
	V u = 2 - (V)(first >> 12 | 0x3ff0000000000000), t = (V)(second >> 12 | 0x3ff0000000000000) - 1.5;
	I bits = (I)u;
	V e = (V)((U)bits >> 52 | 0x4330000000000000) - (0x1p52 + 1023), z = (V)((bits & 0xfffffffffffff) | 0x3ff0000000000000) - 1.5;
	V p = splat(-0x1.ebdd2c845209ap-8); // -2 ln(1.5 + z) in Chebyshev polynomials
	NEXT(p, 0x1.93248e99e1edbp-7) NEXT(p, -0x1.0a805c37f2abdp-6) NEXT(p, 0x1.d5d6bb141817dp-6)
	NEXT(p, -0x1.afeeea378e5a9p-5) NEXT(p, 0x1.94c37adc0008cp-4) NEXT(p, -0x1.9489d6f0c9ad1p-3)
	NEXT(p, 0x1.c71bff280df8ep-2) NEXT(p, -0x1.555555d3eb4a3p+0) NEXT(p, -0x1.9f323e81d72ecp-1)
	V square = fused(e, splat(-0x1.62e42fefa39efp+0), p);
	*sure = (I)(absolute(square - 20.5) < 20.499); // |u| > 2^-30, and far enough from 1
	V b = absolute(t) - 0.25; // cos(2 pi (t + 1/2)) = sin(2 pi b)
	z = b * b, p = splat(0x1.3c4958b259ff6p+5);
	NEXT(p, -0x1.3232d93cc8108p+6) NEXT(p, 0x1.46676c11f8758p+6) NEXT(p, -0x1.4abbb594605d5p+5) NEXT(p, 0x1.921fb4a5cf84fp+2)
	return root(square) * (p * b);
}
#undef NEXT

} // namespace
