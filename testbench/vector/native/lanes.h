// Lanes of doubles and the functions of field/exact on them, with its bits. The
// including file defines WIDTH, and after this file root, fused, over, bits, whose bit i
// says whether lane i of a comparison holds, upto and differ, which are bits of a <= b
// and of a != b, and, for more than two lanes, any, which says whether a bit is set; for
// eight, pack too.

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

// How the functions of these files are declared, here and as a kernel's
// (gpu/kernels/lane.cuh, which is this file for one lane).
#define INLINE static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline))
#define PLAIN static
#define MEMBER // of functions that constants are made with
#define RARELY(X) __builtin_expect(X, 0)

namespace {

typedef double V __attribute__((vector_size(WIDTH * 8)));
typedef int64_t I __attribute__((vector_size(WIDTH * 8)));
typedef uint64_t U __attribute__((vector_size(WIDTH * 8)));

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

#if WIDTH < 8 // AVX-512 has an instruction for it
// pack puts the lanes of bits one after another.
INLINE void pack(double *to, V v, unsigned which) {
	for (; which; which &= which - 1) *to++ = v[__builtin_ctz(which)];
}
#endif

INLINE double square_root(double a) { return __builtin_sqrt(a); }
INLINE double floor_of(double a) { return __builtin_floor(a); }
INLINE double magnitude(double a) { return __builtin_fabs(a); }
INLINE int lowest_of(unsigned lanes) { return __builtin_ctz(lanes); }
INLINE void ask(const void *p) { __builtin_prefetch(p); } // for a line that is read soon
INLINE void ask_to_write(const void *p) { __builtin_prefetch(p, 1); }

} // namespace
