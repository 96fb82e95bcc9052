// The yardstick of the computed floor: how many 32-bit lane operations the
// instruction set does per second when nothing stalls, half of them
// multiplications. Included by kernel.h.

// peak runs `loops` rounds of 24 independent vector operations and returns
// something that depends on all of them.
float peak(int32_t loops) {
	vf a[12];
	for (int i = 0; i < 12; i++) a[i] = all(1 + i * 1e-3f);
	vf m = all(0.999f), b = all(1e-3f);
	for (int32_t n = 0; n < loops; n++) {
		_Pragma("GCC unroll 12") for (int i = 0; i < 12; i++) a[i] = a[i] * m;
		_Pragma("GCC unroll 12") for (int i = 0; i < 12; i++) a[i] = a[i] + b;
	}
	vf s = a[0];
	for (int i = 1; i < 12; i++) s += a[i];
	return s[0];
}
