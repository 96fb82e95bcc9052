// What CUDA threads do together: barriers, shuffles, votes, atomics, fences.
#pragma once

inline void __syncthreads() { softcuda::barrier(); }
inline void __syncwarp(unsigned mask = ~0u) { softcuda::meet(softcuda::Meeting::kSyncWarp, mask, 0); }
inline unsigned __activemask() { return softcuda::current->warp->exists; }

inline unsigned __ballot_sync(unsigned mask, int vote) { return softcuda::ballot(mask, vote != 0); }
inline int __any_sync(unsigned mask, int vote) { return softcuda::ballot(mask, vote != 0) != 0; }
inline int __all_sync(unsigned mask, int vote) { return softcuda::ballot(mask, vote == 0) == 0; }

// A shuffle's value travels in 64 bits.
template <class T>
__forceinline__ T softcudaShuffle(softcuda::Meeting what, unsigned mask, T value, int argument, int width) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles carry 4 or 8 bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = softcuda::exchange(what, mask, bits, argument, width);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
__forceinline__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return softcudaShuffle(softcuda::Meeting::kShuffle, mask, value, lane, width);
}
template <class T>
__forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return softcudaShuffle(softcuda::Meeting::kShuffleUp, mask, value, int(delta), width);
}
template <class T>
__forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return softcudaShuffle(softcuda::Meeting::kShuffleDown, mask, value, int(delta), width);
}
template <class T>
__forceinline__ T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  return softcudaShuffle(softcuda::Meeting::kShuffleXor, mask, value, bits, width);
}

// Atomics are relaxed, as on the card, and for integers of 4 and 8 bytes. There
// is none for floats: their result would depend on the order.
template <class T>
struct SoftcudaInteger;
template <>
struct SoftcudaInteger<int> { using Type = int; };
template <>
struct SoftcudaInteger<unsigned> { using Type = unsigned; };
template <>
struct SoftcudaInteger<unsigned long long> { using Type = unsigned long long; };
template <class T>
using SoftcudaSame = typename SoftcudaInteger<T>::Type;

// Replaces *p by f(*p) and returns what it was.
template <class T, class F>
__attribute__((no_sanitize_address)) inline T softcudaUpdate(T* p, F f) {
  softcuda::trackAtomic(p, sizeof *p);
  T old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &old, f(old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}
template <class T>
inline T atomicAdd(T* p, SoftcudaSame<T> v) {
  return softcudaUpdate(p, [v](T a) { return T(uint64_t(a) + uint64_t(v)); });
}
template <class T>
inline T atomicSub(T* p, SoftcudaSame<T> v) {
  return softcudaUpdate(p, [v](T a) { return T(uint64_t(a) - uint64_t(v)); });
}
template <class T>
inline T atomicOr(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T a) { return a | v; }); }
template <class T>
inline T atomicAnd(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T a) { return a & v; }); }
template <class T>
inline T atomicXor(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T a) { return a ^ v; }); }
template <class T>
inline T atomicMax(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T a) { return softcudaMax(a, v); }); }
template <class T>
inline T atomicMin(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T a) { return softcudaMin(a, v); }); }
template <class T>
inline T atomicExch(T* p, SoftcudaSame<T> v) { return softcudaUpdate(p, [v](T) { return v; }); }
template <class T>
inline T atomicCAS(T* p, SoftcudaSame<T> is, SoftcudaSame<T> v) {
  return softcudaUpdate(p, [is, v](T a) { return a == is ? v : a; });
}

inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() {
  softcuda::spoil();  // when a wrong answer was ordered
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class T>
__forceinline__ T __ldg(const T* p) { return *p; }
template <class T>
__forceinline__ T __ldcg(const T* p) { return *p; }
template <class T>
__forceinline__ void __stcg(T* p, T v) { *p = v; }

inline void __trap() { softcuda::fail("__trap"); }
inline long long clock64() { return (long long)softcuda::nanos(); }
// The card's global timer in nanoseconds; CUDA sources read a register instead.
inline unsigned long long softcudaGlobalTimer() { return softcuda::nanos(); }
