// Several cells of a thread at once, as the equation's V (point.h): a column's cells in
// N planes, one after the other. Where a warp waits for memory or for its last product,
// N - 1 others are under way; each cell's own arithmetic stays what it is for one.
#ifndef FIELDBRAIN_BATCH_CUH
#define FIELDBRAIN_BATCH_CUH

#include "exact.cuh"

template <class T, int N>
struct Batch {
	T v[N];
	DEVICE_MEMBER T &operator[](int i) { return v[i]; }
	DEVICE_MEMBER const T &operator[](int i) const { return v[i]; }
};

template <int N> using Reals = Batch<float, N>;
template <int N> using Wholes = Batch<int, N>;
template <int N> using Words = Batch<uint32_t, N>;
template <int N> using Masks = Batch<bool, N>;

// each makes a batch of what f says of its i-th cell.
template <class T, int N, class F>
DEVICE Batch<T, N> each(const F &f) {
	Batch<T, N> out;
#pragma unroll
	for (int i = 0; i < N; i++) out.v[i] = f(i);
	return out;
}

#define BATCH_OPERATOR(OP)                                                                                                 \
	template <class T, int N>                                                                                              \
	DEVICE Batch<T, N> operator OP(const Batch<T, N> &a, const Batch<T, N> &b) {                                           \
		return each<T, N>([&](int i) -> T { return a[i] OP b[i]; });                                                       \
	}                                                                                                                      \
	template <class T, int N>                                                                                              \
	DEVICE Batch<T, N> operator OP(const Batch<T, N> &a, T b) {                                                            \
		return each<T, N>([&](int i) -> T { return a[i] OP b; });                                                          \
	}                                                                                                                      \
	template <class T, int N>                                                                                              \
	DEVICE Batch<T, N> operator OP(T a, const Batch<T, N> &b) {                                                            \
		return each<T, N>([&](int i) -> T { return a OP b[i]; });                                                          \
	}

BATCH_OPERATOR(+)
BATCH_OPERATOR(-)
BATCH_OPERATOR(*)
BATCH_OPERATOR(&)
#undef BATCH_OPERATOR

template <int N> DEVICE Words<N> operator^(const Words<N> &a, uint32_t b) { return each<uint32_t, N>([&](int i) -> uint32_t { return a[i] ^ b; }); }
template <int N> DEVICE Words<N> operator>>(const Words<N> &a, int b) { return each<uint32_t, N>([&](int i) -> uint32_t { return a[i] >> b; }); }
template <int N> DEVICE void operator^=(Words<N> &a, const Words<N> &b) {
	a = each<uint32_t, N>([&](int i) -> uint32_t { return a[i] ^ b[i]; });
}
template <int N> DEVICE void operator*=(Words<N> &a, uint32_t b) { a = a * b; }

template <int N> DEVICE Masks<N> operator<(const Reals<N> &a, float b) { return each<bool, N>([&](int i) -> bool { return a[i] < b; }); }
template <int N> DEVICE Masks<N> operator>(const Reals<N> &a, float b) { return each<bool, N>([&](int i) -> bool { return a[i] > b; }); }
template <int N> DEVICE Masks<N> operator<=(const Wholes<N> &a, int b) { return each<bool, N>([&](int i) -> bool { return a[i] <= b; }); }

template <int N> DEVICE Reals<N> lowest(const Reals<N> &a, float b) { return each<float, N>([&](int i) -> float { return lowest(a[i], b); }); }
template <int N> DEVICE Reals<N> highest(const Reals<N> &a, float b) { return each<float, N>([&](int i) -> float { return highest(a[i], b); }); }
template <int N> DEVICE Reals<N> real(const Wholes<N> &a) { return each<float, N>([&](int i) -> float { return real(a[i]); }); }
template <int N> DEVICE Reals<N> real(const Words<N> &a) { return each<float, N>([&](int i) -> float { return real(a[i]); }); }
template <int N> DEVICE Reals<N> operator-(const Reals<N> &a) { return each<float, N>([&](int i) -> float { return -a[i]; }); }
template <int N> DEVICE Reals<N> scale_add(const Reals<N> &v, float k, float c) { return each<float, N>([&](int i) -> float { return scale_add(v[i], k, c); }); }
template <int N> DEVICE Reals<N> scale_add(const Reals<N> &v, float k, const Reals<N> &c) {
	return each<float, N>([&](int i) -> float { return scale_add(v[i], k, c[i]); });
}
template <int N> DEVICE Wholes<N> whole(const Reals<N> &a) { return each<int, N>([&](int i) -> int { return whole(a[i]); }); }
template <int N> DEVICE Reals<N> choose(const Masks<N> &m, const Reals<N> &a, const Reals<N> &b) {
	return each<float, N>([&](int i) -> float { return m[i] ? a[i] : b[i]; });
}

#endif
