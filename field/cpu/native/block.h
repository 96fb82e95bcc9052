// What point.h asks of its cells: here a cell is a vector, or a block of vectors.
// Included by kernel.h.

#define POINT INLINE
#define EACH(j, N) _Pragma("GCC unroll 16") for (int j = 0; j < (N); j++)

INLINE vf real(vi n) { return __builtin_convertvector(n, vf); }
INLINE vf real(vu n) { return real((vi)n); } // no more than 31 bits
INLINE vi whole(vf v) { return __builtin_convertvector(v, vi); }
INLINE vf choose(vi mask, vf yes, vf no) { return mask ? yes : no; }
INLINE vf lowest(vf v, float limit) { return lowest(v, all(limit)); }
INLINE vf highest(vf v, float limit) { return highest(v, all(limit)); }
INLINE vf scale_add(vf v, float k, float c) { return scale_add(v, k, all(c)); }
INLINE float lowest(float v, float limit) { return v < limit ? v : limit; }

// A Block is N vectors of neighbouring cells. An operation goes over all of them
// before the next one begins: the operations of one cell form a long chain, and
// the processor works on several chains at once.
template <class T, int N>
struct Block {
	T v[N];
};

// cell is part j of what an operation takes beside a block: a number stands for all.
INLINE float cell(float c, int) { return c; }
template <int N>
INLINE vf cell(const Block<vf, N> &c, int j) { return c.v[j]; }

template <int N>
INLINE Block<vf, N> operator-(const Block<vf, N> &a) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = -a.v[j];
	return r;
}

#define OPERATION(OP)                                                             \
	template <class T, int N>                                                    \
	INLINE auto operator OP(const Block<T, N> &a, const Block<T, N> &b) {        \
		Block<decltype(a.v[0] OP b.v[0]), N> r;                                  \
		EACH(j, N) r.v[j] = a.v[j] OP b.v[j];                                    \
		return r;                                                                \
	}                                                                            \
	template <int N>                                                             \
	INLINE auto operator OP(const Block<vf, N> &a, float b) {                    \
		Block<decltype(a.v[0] OP b), N> r;                                       \
		EACH(j, N) r.v[j] = a.v[j] OP b;                                         \
		return r;                                                                \
	}                                                                            \
	template <int N>                                                             \
	INLINE auto operator OP(float a, const Block<vf, N> &b) {                    \
		Block<decltype(a OP b.v[0]), N> r;                                       \
		EACH(j, N) r.v[j] = a OP b.v[j];                                         \
		return r;                                                                \
	}
OPERATION(+)
OPERATION(-)
OPERATION(*)
OPERATION(<)
OPERATION(>)
#undef OPERATION

template <int N>
INLINE Block<vi, N> operator&(const Block<vi, N> &a, const Block<vi, N> &b) {
	Block<vi, N> r;
	EACH(j, N) r.v[j] = a.v[j] & b.v[j];
	return r;
}

template <int N>
INLINE Block<vf, N> lowest(const Block<vf, N> &v, float limit) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = lowest(v.v[j], limit);
	return r;
}

template <int N>
INLINE Block<vf, N> highest(const Block<vf, N> &v, float limit) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = highest(v.v[j], limit);
	return r;
}

template <int N>
INLINE Block<vf, N> real(const Block<vi, N> &n) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = real(n.v[j]);
	return r;
}

template <int N>
INLINE Block<vi, N> whole(const Block<vf, N> &v) {
	Block<vi, N> r;
	EACH(j, N) r.v[j] = whole(v.v[j]);
	return r;
}

template <int N>
INLINE Block<vf, N> choose(const Block<vi, N> &mask, const Block<vf, N> &yes, const Block<vf, N> &no) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = choose(mask.v[j], yes.v[j], no.v[j]);
	return r;
}

template <int N, class C>
INLINE Block<vf, N> scale_add(const Block<vf, N> &v, float k, const C &c) {
	Block<vf, N> r;
	EACH(j, N) r.v[j] = scale_add(v.v[j], k, cell(c, j));
	return r;
}
