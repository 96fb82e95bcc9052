// Lane operations of AVX-512: sixteen rays, masks in mask registers.
typedef int32_t vi __attribute__((vector_size(64)));
typedef __mmask16 M;

struct Classes {
	__m512i low, high;
};

static inline Classes load_classes(const uint32_t *t) { return {_mm512_loadu_si512(t), _mm512_loadu_si512(t + 16)}; }
static inline vi load(const int32_t *p) { return (vi)_mm512_loadu_si512(p); }
static inline void store(int32_t *p, vi v) { _mm512_storeu_si512(p, (__m512i)v); }
static inline vi splat(int32_t v) { return (vi)_mm512_set1_epi32(v); }
static inline M above(vi a, vi b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
static inline M notabove(vi a, vi b) { return _mm512_cmple_epi32_mask((__m512i)a, (__m512i)b); }
static inline M both(M a, M b) { return a & b; }
static inline M without(M a, M b) { return a & ~b; }
static inline M either(M a, M b) { return a | b; }
static inline M neither(M a, M b) { return ~(a | b); }
static inline bool any(M m) { return m != 0; }
static inline int count(M m) { return __builtin_popcount(m); }
static inline vi choose(M m, vi a, vi b) { return (vi)_mm512_mask_mov_epi32((__m512i)b, m, (__m512i)a); }
static inline vi addif(M m, vi a, vi b) { return (vi)_mm512_mask_add_epi32((__m512i)a, m, (__m512i)a, (__m512i)b); }
static inline vi smaller(vi a, vi b) { return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b); }
static inline vi only(M m, vi a) { return (vi)_mm512_maskz_mov_epi32(m, (__m512i)a); }

// bytes gathers four bytes per lane, of which the lowest counts.
static inline vi bytes(const int8_t *p, vi at) { return (vi)_mm512_i32gather_epi32((__m512i)at, p, 1); }
// lookup returns the entries of the log-odds' classes.
static inline vi lookup(const Classes &c, vi odds) {
	__m512i v = _mm512_and_si512(_mm512_xor_si512((__m512i)odds, _mm512_set1_epi32(128)), _mm512_set1_epi32(255));
	v = _mm512_srli_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(4)), 3);
	return (vi)_mm512_permutex2var_epi32(c.low, v, c.high);
}
// dimmed takes the entropy away from cells that are seen.
static inline vi dimmed(vi e, const uint32_t *seen, vi at) {
	__m512i w = _mm512_i32gather_epi32(_mm512_srli_epi32((__m512i)at, 5), seen, 4);
	__m512i bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512((__m512i)at, _mm512_set1_epi32(31)));
	M known = _mm512_test_epi32_mask(w, bit);
	return (vi)_mm512_mask_and_epi32((__m512i)e, known, (__m512i)e, _mm512_set1_epi32(0xffff));
}
static inline vi products(vi a, vi b) { return (vi)_mm512_mulhrs_epi16((__m512i)a, (__m512i)b); }
static inline vi high(vi a) { return (vi)_mm512_srli_epi32((__m512i)a, 16); }
static inline vi low_twice(vi a) {
	const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13));
	return (vi)_mm512_shuffle_epi8((__m512i)a, order);
}
