// Lane operations of SSE4.1 (any x86-64 of the last fifteen years). Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p)); }
INLINE void storeh(uint16_t *p, vi v) { _mm_storel_epi64((__m128i *)p, _mm_packus_epi32((__m128i)v, (__m128i)v)); }
INLINE vf lowest(vf a, vf b) { return _mm_min_ps(a, b); }
INLINE vf highest(vf a, vf b) { return _mm_max_ps(a, b); }
