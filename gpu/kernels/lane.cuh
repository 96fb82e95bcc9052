// One lane of testbench/vector/native/lanes.h: with it that source is a kernel's, in
// which a thread is a car. A number, its bits signed and its bits unsigned are three
// types, as vectors are, so that a cast between them keeps the bits; a comparison has
// all bits set where it holds. Sums and products are rounded by name, each by itself.
#ifndef FIELDBRAIN_LANE_CUH
#define FIELDBRAIN_LANE_CUH

#include <stdint.h>

#define WIDTH 1
#ifdef FIELDBRAIN_SOFTCUDA // in one frame of 2600 variables g++ 12's address sanitizer finds what is not there
#define AT_ONCE inline
#else
#define AT_ONCE __forceinline__
#endif
#define INLINE static __device__ AT_ONCE
#define RARE INLINE // a call would put the registers of a step into memory
#define PLAIN static __device__
#define MEMBER __device__
#define RARELY(X) (X)

namespace fleet {

struct V;
struct U;

struct I {
	int64_t v;
	__device__ AT_ONCE I(int64_t a = 0) : v(a) {}
	explicit __device__ AT_ONCE I(V a);
	explicit __device__ AT_ONCE I(U a);
	explicit __device__ AT_ONCE operator bool() const { return v != 0; }
	__device__ AT_ONCE int64_t operator[](int) const { return v; }
};

struct U {
	uint64_t v;
	__device__ AT_ONCE U(uint64_t a = 0) : v(a) {}
	explicit __device__ AT_ONCE U(V a);
	explicit __device__ AT_ONCE U(I a) : v((uint64_t)a.v) {}
};

struct V {
	double v;
	__device__ AT_ONCE V(double a = 0) : v(a) {}
	explicit __device__ AT_ONCE V(I a) : v(__longlong_as_double((long long)a.v)) {}
	explicit __device__ AT_ONCE V(U a) : v(__longlong_as_double((long long)a.v)) {}
	__device__ AT_ONCE double operator[](int) const { return v; }
};

__device__ AT_ONCE I::I(V a) : v((int64_t)__double_as_longlong(a.v)) {}
__device__ AT_ONCE I::I(U a) : v((int64_t)a.v) {}
__device__ AT_ONCE U::U(V a) : v((uint64_t)__double_as_longlong(a.v)) {}

INLINE V operator+(V a, V b) { return __dadd_rn(a.v, b.v); }
INLINE V operator-(V a, V b) { return __dsub_rn(a.v, b.v); }
INLINE V operator*(V a, V b) { return __dmul_rn(a.v, b.v); }
INLINE V operator/(V a, V b) { return __ddiv_rn(a.v, b.v); }
INLINE V operator-(V a) { return -a.v; }
INLINE I operator<(V a, V b) { return -(int64_t)(a.v < b.v); }
INLINE I operator<=(V a, V b) { return -(int64_t)(a.v <= b.v); }
INLINE I operator>(V a, V b) { return -(int64_t)(a.v > b.v); }
INLINE I operator>=(V a, V b) { return -(int64_t)(a.v >= b.v); }
INLINE I operator==(V a, V b) { return -(int64_t)(a.v == b.v); }
INLINE I operator!=(V a, V b) { return -(int64_t)(a.v != b.v); }

INLINE I operator&(I a, I b) { return a.v & b.v; }
INLINE I operator|(I a, I b) { return a.v | b.v; }
INLINE I operator^(I a, I b) { return a.v ^ b.v; }
INLINE I operator~(I a) { return ~a.v; }
INLINE I operator-(I a) { return -a.v; }
INLINE I operator+(I a, I b) { return a.v + b.v; }
INLINE I operator-(I a, I b) { return a.v - b.v; }
INLINE I operator<<(I a, int n) { return (int64_t)((uint64_t)a.v << n); }
INLINE I operator>>(I a, int n) { return a.v >> n; }

INLINE U operator&(U a, U b) { return a.v & b.v; }
INLINE U operator|(U a, U b) { return a.v | b.v; }
INLINE U operator^(U a, U b) { return a.v ^ b.v; }
INLINE U operator+(U a, U b) { return a.v + b.v; }
INLINE U operator*(U a, U b) { return a.v * b.v; }
INLINE U operator>>(U a, int n) { return a.v >> n; }

INLINE V splat(double v) { return v; }
INLINE V load(const double *p) { return *p; }
INLINE U load(const uint64_t *p) { return *p; }
INLINE void store(double *p, V v) { *p = v.v; }
INLINE V absolute(V a) { return fabs(a.v); }
INLINE bool any(I m) { return m.v != 0; }
INLINE unsigned bits(I m) { return (unsigned)m.v & 1; }
INLINE unsigned upto(V a, V b) { return a.v <= b.v; }
INLINE unsigned differ(V a, V b) { return a.v != b.v; }
INLINE V root(V a) { return __dsqrt_rn(a.v); }
INLINE V fused(V a, V b, V c) { return __fma_rn(a.v, b.v, c.v); }
INLINE double square_root(double a) { return __dsqrt_rn(a); }
INLINE double floor_of(double a) { return floor(a); }
INLINE double magnitude(double a) { return fabs(a); }
INLINE int lowest_of(unsigned) { return 0; }
INLINE void ask(const void *) {}
INLINE void ask_to_write(const void *) {}

} // namespace fleet

#endif
