// Lane operations of AVX2. Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)); }
INLINE void storeh(uint16_t *p, vi v) {
	__m256i w = (__m256i)v;
	_mm_storeu_si128((__m128i *)p, _mm_packus_epi32(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1)));
}
INLINE vf scale_add(vf v, float k, vf c) { return _mm256_fmadd_ps(v, _mm256_set1_ps(k), c); }
INLINE vf lowest(vf a, vf b) { return _mm256_min_ps(a, b); }
INLINE vf highest(vf a, vf b) { return _mm256_max_ps(a, b); }
INLINE vi madd(vs a, vs b) { return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b); }
INLINE vs ziplow(vs a, vs b) { return (vs)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b); }
INLINE vs ziphigh(vs a, vs b) { return (vs)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b); }
INLINE vs pack(vi a, vi b) { return (vs)_mm256_packus_epi32((__m256i)a, (__m256i)b); }
INLINE vs pack_signed(vi a, vi b) { return (vs)_mm256_packs_epi32((__m256i)a, (__m256i)b); }
INLINE void storeh2(uint16_t *p, vi a, vi b) {
	_mm256_storeu_si256((__m256i *)p, _mm256_permute4x64_epi64((__m256i)pack(a, b), _MM_SHUFFLE(3, 1, 2, 0)));
}
#define FUSED_DOT(acc, a, b) ((vi)_mm256_dpwssd_avx_epi32((__m256i)(acc), (__m256i)(a), (__m256i)(b)))
#define FUSED_SUM(a, b, c) _mm256_fmadd_ps(a, b, c)
#define LANE_REGISTER "+x"
