// Half precision as storage: 1 sign, 5 exponent and 10 fraction bits (IEEE 754
// binary16), made with integers so that every machine gives the same bits.
// Arithmetic stays in single precision.
#ifndef FIELDBRAIN_HALF_CUH
#define FIELDBRAIN_HALF_CUH

#include "exact.cuh"

// from_half widens; it is exact. Infinities and not-a-number keep their kind.
DEVICE float from_half(uint16_t h) {
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
	if (rest >= 0x7c00) return __uint_as_float(sign | 0x7f800000u | (rest & 0x3ff) << 13);
	return mul(__uint_as_float(sign | rest << 13), 5.192296858534827628530496329220096e33f); // 2^112
}

// to_half rounds v up or down by chance, in proportion to how near each
// neighbour is: `dice` are 13 random bits. Rounding to the nearest would hold a
// slow activation still for ever, since its steps are smaller than half a unit.
// Values beyond the largest half become infinite: then the field is not finite,
// and the tick says so.
DEVICE uint16_t to_half(float v, uint32_t dice) {
	uint32_t bits = __float_as_uint(v), sign = bits >> 16 & 0x8000;
	if ((bits & 0x7fffffff) >= 0x7f800000u) return (uint16_t)(sign | ((bits & 0x7fffff) ? 0x7e00 : 0x7c00));
	// 2^-112 brings a half's exponents to the bottom of a float's; what becomes
	// subnormal there is subnormal as a half, too.
	uint32_t small = __float_as_uint(mul(__uint_as_float(bits & 0x7fffffff), 1.92592994438723585305597794258492732e-34f));
	uint32_t h = (small + (dice & 0x1fff)) >> 13;
	return (uint16_t)(sign | (h > 0x7c00 ? 0x7c00 : h));
}

#endif
