// Lane operations of NEON. Included by kernel.h.

INLINE vi loadh(const uint16_t *p) { return (vi)vmovl_u16(vld1_u16(p)); }
INLINE void storeh(uint16_t *p, vi v) { vst1_u16(p, vmovn_u32((uint32x4_t)v)); }
INLINE vf scale_add(vf v, float k, vf c) { return vfmaq_n_f32(c, v, k); }
INLINE vf lowest(vf a, vf b) { return vminnmq_f32(a, b); } // b where a is not a number, as everywhere
INLINE vf highest(vf a, vf b) { return vmaxnmq_f32(a, b); }
// reals are four outputs as numbers: they become the last 16 bits of numbers from 2^23 on.
INLINE vf reals(const uint16_t *p) {
	const int16x8_t low = vcombine_s16(vld1_s16((const int16_t *)p), vdup_n_s16(0));
	return (vf)vzip1q_s16(low, vdupq_n_s16(0x4b00)) - 8388608.0f;
}
INLINE vi madd(vs a, vs b) {
	int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
	return (vi)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}
INLINE vs ziplow(vs a, vs b) { return (vs)vzip1q_s16((int16x8_t)a, (int16x8_t)b); }
INLINE vs ziphigh(vs a, vs b) { return (vs)vzip2q_s16((int16x8_t)a, (int16x8_t)b); }
INLINE vs pack(vi a, vi b) { return (vs)vmovn_high_u32(vmovn_u32((uint32x4_t)a), (uint32x4_t)b); }
INLINE vs pack_signed(vi a, vi b) { return pack(a, b); }
INLINE void storeh2(uint16_t *p, vi a, vi b) { vst1q_u16(p, (uint16x8_t)pack(a, b)); }
#define LANE_REGISTER "+w"
