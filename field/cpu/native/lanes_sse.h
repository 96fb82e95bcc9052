// Lane operations of SSE4.1 (any x86-64 of the last fifteen years). Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p)); }
INLINE void storeh(uint16_t *p, vi v) { _mm_storel_epi64((__m128i *)p, _mm_packus_epi32((__m128i)v, (__m128i)v)); }
INLINE vf scale_add(vf v, float k, vf c) { return v * k + c; }
INLINE vf lowest(vf a, vf b) { return _mm_min_ps(a, b); }
INLINE vf highest(vf a, vf b) { return _mm_max_ps(a, b); }
INLINE vi madd(vs a, vs b) { return (vi)_mm_madd_epi16((__m128i)a, (__m128i)b); }
INLINE vs ziplow(vs a, vs b) { return (vs)_mm_unpacklo_epi16((__m128i)a, (__m128i)b); }
INLINE vs ziphigh(vs a, vs b) { return (vs)_mm_unpackhi_epi16((__m128i)a, (__m128i)b); }
INLINE vs pack(vi a, vi b) { return (vs)_mm_packus_epi32((__m128i)a, (__m128i)b); }
INLINE vs pack_signed(vi a, vi b) { return (vs)_mm_packs_epi32((__m128i)a, (__m128i)b); }
INLINE void storeh2(uint16_t *p, vi a, vi b) { _mm_storeu_si128((__m128i *)p, (__m128i)pack(a, b)); }
#define LANE_REGISTER "+x"
