// Lane operations of NEON. Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)vmovl_u16(vld1_u16(p)); }
INLINE void storeh(uint16_t *p, vi v) { vst1_u16(p, vmovn_u32((uint32x4_t)v)); }
INLINE vf lowest(vf a, vf b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
INLINE vf highest(vf a, vf b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
