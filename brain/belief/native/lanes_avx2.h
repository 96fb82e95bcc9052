// Lane operations of AVX2: eight rays, masks are lanes of all ones.
typedef int32_t vi __attribute__((vector_size(32)));
typedef vi M;

typedef const uint32_t *Classes;

static inline Classes load_classes(const uint32_t *t) { return t; }
static inline vi load(const int32_t *p) { return (vi)_mm256_loadu_si256((const __m256i *)p); }
static inline void store(int32_t *p, vi v) { _mm256_storeu_si256((__m256i *)p, (__m256i)v); }
static inline vi splat(int32_t v) { return (vi)_mm256_set1_epi32(v); }
static inline M above(vi a, vi b) { return (vi)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b); }
static inline M notabove(vi a, vi b) { return ~above(a, b); }
static inline M both(M a, M b) { return a & b; }
static inline M without(M a, M b) { return a & ~b; }
static inline M either(M a, M b) { return a | b; }
static inline M neither(M a, M b) { return ~(a | b); }
static inline bool any(M m) { return !_mm256_testz_si256((__m256i)m, (__m256i)m); }
static inline int count(M m) { return __builtin_popcount(_mm256_movemask_ps((__m256)m)); }
static inline vi choose(M m, vi a, vi b) { return (vi)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m); }
static inline vi addif(M m, vi a, vi b) { return a + (b & m); }
static inline vi smaller(vi a, vi b) { return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b); }
static inline vi only(M m, vi a) { return a & m; }

// bytes gathers four bytes per lane, of which the lowest counts.
static inline vi bytes(const int8_t *p, vi at) { return (vi)_mm256_i32gather_epi32((const int *)p, (__m256i)at, 1); }
// lookup returns the entries of the log-odds' classes.
static inline vi lookup(Classes c, vi odds) {
	vi v = (((odds ^ 128) & 255) + 4) >> 3;
	return (vi)_mm256_i32gather_epi32((const int *)c, (__m256i)v, 4);
}
// dimmed takes the entropy away from cells that are seen.
static inline vi dimmed(vi e, const uint32_t *seen, vi at) {
	__m256i w = _mm256_i32gather_epi32((const int *)seen, (__m256i)(at >> 5), 4);
	vi bit = (vi)_mm256_srlv_epi32(w, (__m256i)(at & 31)) & 1;
	return e & (splat(0xffff) | (bit - 1)); // all ones where the bit is 0
}
static inline vi products(vi a, vi b) { return (vi)_mm256_mulhrs_epi16((__m256i)a, (__m256i)b); }
static inline vi high(vi a) { return (vi)_mm256_srli_epi32((__m256i)a, 16); }
static inline vi low_twice(vi a) {
	const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13));
	return (vi)_mm256_shuffle_epi8((__m256i)a, order);
}
