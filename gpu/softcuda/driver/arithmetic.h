// CUDA's arithmetic. Float operations round to nearest even, each by itself.
#pragma once

inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

template <class To, class From>
__forceinline__ To softcudaBits(From from) {
  static_assert(sizeof(To) == sizeof(From), "other size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
inline int __float_as_int(float a) { return softcudaBits<int>(a); }
inline unsigned __float_as_uint(float a) { return softcudaBits<unsigned>(a); }
inline float __int_as_float(int a) { return softcudaBits<float>(a); }
inline float __uint_as_float(unsigned a) { return softcudaBits<float>(a); }
inline long long __double_as_longlong(double a) { return softcudaBits<long long>(a); }
inline double __longlong_as_double(long long a) { return softcudaBits<double>(a); }

// Conversions saturate as on the card; not a number becomes 0 (of double: the
// least integer).
template <class Int>
inline Int softcudaSaturate(double a, Int nan) {
  constexpr Int top = Int(~0ull >> (sizeof(Int) == 8) >> (sizeof(Int) == 4 && Int(-1) < 0 ? 33 : sizeof(Int) == 4 ? 32 : 0));
  constexpr Int bottom = Int(-1) < 0 ? Int(-top - 1) : Int(0);
  if (a != a) return nan;
  if (a <= double(bottom)) return bottom;
  return a >= double(top) ? top : Int(a);
}
constexpr int kSoftcudaLeast = -2147483647 - 1;
inline int __double2int_rd(double a) { return softcudaSaturate<int>(floor(a), kSoftcudaLeast); }
inline int __double2int_ru(double a) { return softcudaSaturate<int>(ceil(a), kSoftcudaLeast); }
inline int __double2int_rz(double a) { return softcudaSaturate<int>(trunc(a), kSoftcudaLeast); }
inline int __double2int_rn(double a) { return softcudaSaturate<int>(nearbyint(a), kSoftcudaLeast); }
inline long long __double2ll_rd(double a) { return softcudaSaturate<long long>(floor(a), -9223372036854775807LL - 1); }
inline long long __double2ll_rn(double a) { return softcudaSaturate<long long>(nearbyint(a), -9223372036854775807LL - 1); }
inline int __float2int_rd(float a) { return softcudaSaturate<int>(floor(double(a)), 0); }
inline int __float2int_ru(float a) { return softcudaSaturate<int>(ceil(double(a)), 0); }
inline int __float2int_rz(float a) { return softcudaSaturate<int>(trunc(double(a)), 0); }
inline int __float2int_rn(float a) { return softcudaSaturate<int>(nearbyint(double(a)), 0); }
inline unsigned __float2uint_rn(float a) { return softcudaSaturate<unsigned>(nearbyint(double(a)), 0); }
inline unsigned __float2uint_rz(float a) { return softcudaSaturate<unsigned>(trunc(double(a)), 0); }
inline float __double2float_rn(double a) { return float(a); }
inline float __int2float_rn(int a) { return float(a); }
inline float __uint2float_rn(unsigned a) { return float(a); }
inline float __ll2float_rn(long long a) { return float(a); }
inline double __int2double_rn(int a) { return double(a); }
inline double __uint2double_rn(unsigned a) { return double(a); }
inline double __ll2double_rn(long long a) { return double(a); }

inline int __popc(unsigned a) { return __builtin_popcount(a); }
inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
inline int __clz(int a) { return a ? __builtin_clz(unsigned(a)) : 32; }
inline int __clzll(long long a) { return a ? __builtin_clzll(a) : 64; }
inline int __ffs(int a) { return __builtin_ffs(a); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t{a} * b >> 32); }
inline int __mulhi(int a, int b) { return int(int64_t{a} * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return unsigned(((uint64_t{high} << 32 | low) << (by & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return unsigned((uint64_t{high} << 32 | low) >> (by & 31));
}
// Byte i of the result is byte s_i of (b:a); bit 3 of s_i repeats its sign.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned select) {
  uint64_t both = uint64_t{b} << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    unsigned s = select >> 4 * i & 15, byte = unsigned(both >> 8 * (s & 7)) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++) c += int8_t(unsigned(a) >> 8 * i) * int8_t(unsigned(b) >> 8 * i);
  return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return c;
}

template <class T>
__forceinline__ T softcudaMin(T a, T b) { return b < a ? b : a; }
template <class T>
__forceinline__ T softcudaMax(T a, T b) { return a < b ? b : a; }
inline int min(int a, int b) { return softcudaMin(a, b); }
inline int max(int a, int b) { return softcudaMax(a, b); }
inline unsigned min(unsigned a, unsigned b) { return softcudaMin(a, b); }
inline unsigned max(unsigned a, unsigned b) { return softcudaMax(a, b); }
inline long long min(long long a, long long b) { return softcudaMin(a, b); }
inline long long max(long long a, long long b) { return softcudaMax(a, b); }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return softcudaMin(a, b); }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return softcudaMax(a, b); }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
