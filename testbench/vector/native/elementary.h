// The functions of field/exact and testbench/noise on lanes, with their bits.

namespace {

constexpr double TWO_OVER_PI = 0x1.45f306dc9c883p-01, HALF_PI_HI = 0x1.921fb544p+00, HALF_PI_LO = 0x1.0b4611a626331p-34;
constexpr double LN2_HI = 0x1.62e42feep-01, LN2_LO = 0x1.a39ef35793c76p-33, ROOT_HALF = 0x1.6a09e667f3bcdp-01;
constexpr double HALF_TURN = 0x1.921fb54442d18p+01, TURN = 0x1.921fb54442d18p+02, INFINITE = __builtin_inf();

// MAGIC turns the whole part of |v| < 2^51 into low bits when it is added.
constexpr double MAGIC = 0x1.8p52;

// below is floor for |v| < 2^51; bits gets the number's low bits.
INLINE V below(V v, I *bits) {
	V r = (v + MAGIC) - MAGIC;
	r = r > v ? r - 1 : r;
	*bits = (I)(r + MAGIC);
	return r;
}

// rest is what the number one, at most a half, lacks of 1/c, c being a whole number up to
// 306: everything before the division is exact.
MEMBER constexpr double rest(double c, double one) {
	const double high = (one + 0x1.8p12) - 0x1.8p12;
	return ((1 - c * high) - c * (one - high)) / c;
}

// One step of the sine's and the cosine's series: 1 - r2/(n(n-1)) p.
#define TERM(N)                                                                \
	{                                                                          \
		constexpr double C = N * (N - 1), ONE = 1 / C, REST = rest(C, ONE);    \
		p = 1 - over(r2, C, ONE, REST) * p;                                    \
	}

INLINE V sine(V r, V r2) {
	V p = splat(1);
	TERM(17) TERM(15) TERM(13) TERM(11) TERM(9) TERM(7) TERM(5) TERM(3)
	return p * r;
}

INLINE V cosine(V r2) {
	V p = splat(1);
	TERM(18) TERM(16) TERM(14) TERM(12) TERM(10) TERM(8) TERM(6) TERM(4) TERM(2)
	return p;
}

// unit is exact.Cos and exact.Sin.
INLINE void unit(V x, V *c, V *s) {
	I q;
	V k = below(x * TWO_OVER_PI + 0.5, &q);
	V r = (x - k * HALF_PI_HI) - k * HALF_PI_LO;
	V r2 = r * r, a = sine(r, r2), b = cosine(r2);
	I odd = -(q & 1);
	V sin = odd ? b : a, cos = odd ? a : b;
	I minus = q << 62 & INT64_MIN; // sine: quadrants 2 and 3
	*s = (V)((I)sin ^ minus);
	*c = (V)((I)cos ^ ((q + 1) << 62 & INT64_MIN));
}

INLINE V tangent(V x) {
	V c, s;
	unit(x, &c, &s);
	return s / c;
}

// logarithm is exact.Log of normal numbers.
INLINE V logarithm(V x) {
	I bits = (I)x, e = (bits >> 52) - 1022;
	V m = (V)((bits & 0xfffffffffffff) | 0x3fe0000000000000);
	I small = m < ROOT_HALF;
	m = small ? m * 2 : m;
	e = e + small; // true is -1
	V s = (m - 1) / (m + 1), s2 = s * s, p = V{};
#define TERM_LOG(N) p = s2 * p + 1.0 / N;
	TERM_LOG(23) TERM_LOG(21) TERM_LOG(19) TERM_LOG(17) TERM_LOG(15) TERM_LOG(13) TERM_LOG(11) TERM_LOG(9)
	TERM_LOG(7) TERM_LOG(5) TERM_LOG(3)
	V k = (V)(e + 0x4338000000000000) - MAGIC;
	return k * LN2_HI + (2 * s + ((2 * s) * (s2 * p) + k * LN2_LO));
}

constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15;

INLINE U mix(U z) {
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

// place is what number n of a stream adds to its key.
INLINE U place(V n) { return ((U)(n + MAGIC) & 0xffffffffffff) * GOLDEN; }

// uniform is number n of the lanes' streams, in [0, 1).
INLINE V uniform(U key, V n) {
	U v = mix(key + place(n)) >> 11;
	V high = (V)(v >> 32 | 0x4530000000000000) - 0x1p84, low = (V)((v & 0xffffffff) | 0x4330000000000000) - 0x1p52;
	return (high + low) * 0x1p-53;
}

// normal is the normal number that numbers n and n+1 make.
INLINE V normal(U key, V n) {
	V u = 1 - uniform(key, n), c, s;
	unit(TURN * uniform(key, n + 1), &c, &s);
	return root(-2 * logarithm(u)) * c;
}

} // namespace
