// Lanes of doubles and the functions of field/exact on them, with its bits. The
// including file defines WIDTH, and after this file root, fused, over, bits, whose bit i
// says whether lane i of a comparison holds, upto and differ, which are bits of a <= b
// and of a != b, and, for more than two lanes, any, which says
// whether a bit is set.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#define INLINE static inline __attribute__((always_inline))

namespace {

typedef double V __attribute__((vector_size(WIDTH * 8)));
typedef int64_t I __attribute__((vector_size(WIDTH * 8)));
typedef uint64_t U __attribute__((vector_size(WIDTH * 8)));

constexpr double TWO_OVER_PI = 0x1.45f306dc9c883p-01, HALF_PI_HI = 0x1.921fb544p+00, HALF_PI_LO = 0x1.0b4611a626331p-34;
constexpr double LN2_HI = 0x1.62e42feep-01, LN2_LO = 0x1.a39ef35793c76p-33, ROOT_HALF = 0x1.6a09e667f3bcdp-01;
constexpr double PI = 0x1.921fb54442d18p+01, TWO_PI = 0x1.921fb54442d18p+02, INFINITE = __builtin_inf();

INLINE V splat(double v) { return v - V{}; }
INLINE V load(const double *p) {
	V v;
	__builtin_memcpy(&v, p, sizeof v);
	return v;
}
INLINE U load(const uint64_t *p) {
	U v;
	__builtin_memcpy(&v, p, sizeof v);
	return v;
}
INLINE void store(double *p, V v) { __builtin_memcpy(p, &v, sizeof v); }
INLINE V absolute(V a) { return (V)((I)a & INT64_MAX); }
#if WIDTH == 2 // of more lanes the compiler makes twenty instructions: their files have one
INLINE bool any(I m) { return (m[0] | m[1]) != 0; }
#endif

// MAGIC turns the whole part of |v| < 2^51 into low bits when it is added.
constexpr double MAGIC = 0x1.8p52;

// below is floor for |v| < 2^51; bits gets the number's low bits.
INLINE V below(V v, I *bits) {
	V r = (v + MAGIC) - MAGIC;
	r = r > v ? r - 1 : r;
	*bits = (I)(r + MAGIC);
	return r;
}

} // namespace
