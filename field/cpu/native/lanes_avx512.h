// Lane operations of AVX-512 (F, BW, DQ, VL). Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)); }
INLINE void storeh(uint16_t *p, vi v) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)v)); }
INLINE vf scale_add(vf v, float k, vf c) { return _mm512_fmadd_ps(v, _mm512_set1_ps(k), c); }
INLINE vf lowest(vf a, vf b) { return _mm512_min_ps(a, b); }
INLINE vf highest(vf a, vf b) { return _mm512_max_ps(a, b); }
INLINE vi madd(vs a, vs b) { return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b); }
INLINE vs ziplow(vs a, vs b) { return (vs)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b); }
INLINE vs ziphigh(vs a, vs b) { return (vs)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b); }
INLINE vs pack(vi a, vi b) { return (vs)_mm512_packus_epi32((__m512i)a, (__m512i)b); }
INLINE vs pack_signed(vi a, vi b) { return (vs)_mm512_packs_epi32((__m512i)a, (__m512i)b); }
INLINE void storeh2(uint16_t *p, vi a, vi b) {
	const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
	_mm512_storeu_si512(p, _mm512_permutexvar_epi64(order, (__m512i)pack(a, b)));
}
#define FUSED_DOT(acc, a, b) ((vi)_mm512_dpwssd_epi32((__m512i)(acc), (__m512i)(a), (__m512i)(b)))
#define FUSED_SUM(a, b, c) _mm512_fmadd_ps(a, b, c)
#define LANE_REGISTER "+v"
