// Lane operations of AVX-512 (F, BW, DQ, VL). Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)); }
INLINE void storeh(uint16_t *p, vi v) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)v)); }
INLINE vf lowest(vf a, vf b) { return _mm512_min_ps(a, b); }
INLINE vf highest(vf a, vf b) { return _mm512_max_ps(a, b); }
INLINE vi madd(vs a, vs b) { return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b); }
INLINE vs ziplow(vs a, vs b) { return (vs)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b); }
INLINE vs ziphigh(vs a, vs b) { return (vs)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b); }
INLINE vs pack(vi a, vi b) { return (vs)_mm512_packus_epi32((__m512i)a, (__m512i)b); }
