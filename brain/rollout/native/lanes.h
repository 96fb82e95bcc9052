// Lanes of floats. The including file defines WIDTH, and after this file root and
// gather.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#define INLINE static inline __attribute__((always_inline))

namespace {

typedef float V __attribute__((vector_size(WIDTH * 4)));
typedef int32_t I __attribute__((vector_size(WIDTH * 4)));
typedef uint32_t U __attribute__((vector_size(WIDTH * 4)));

constexpr float SIXTH = 1.0 / 6, TWENTIETH = 1.0 / 20, TWELFTH = 1.0 / 12, THIRTIETH = 1.0 / 30;
constexpr float TAN3 = 1.0 / 3, TAN5 = 2.0 / 15, TAN7 = 17.0 / 315, TAN9 = 62.0 / 2835, TAN11 = 1382.0 / 155925;
constexpr float BYTE = 1.0 / 255, WORD = 1.0 / 65535;

INLINE V splat(float v) { return v - V{}; }
INLINE V load(const float *p) {
	V v;
	__builtin_memcpy(&v, p, sizeof v);
	return v;
}
INLINE void store(float *p, V v) { __builtin_memcpy(p, &v, sizeof v); }
INLINE V absolute(V a) { return (V)((I)a & INT32_MAX); }
INLINE V within(V v, float low, float high) {
	v = v < low ? splat(low) : v;
	return v > high ? splat(high) : v;
}
INLINE bool any(I m) {
	int32_t all = 0;
	for (int i = 0; i < WIDTH; i++) all |= m[i];
	return all != 0;
}
INLINE U one_by_one(const uint32_t *map, I at) {
	U v;
	for (int i = 0; i < WIDTH; i++) v[i] = map[at[i]];
	return v;
}

} // namespace
