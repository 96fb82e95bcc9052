// The yardsticks of the floor. Included by kernel.h.

// peak tells how many 32-bit lane operations the instruction set does per second when
// nothing stalls, half of them multiplications. It runs `loops` rounds of 24 independent vector operations and returns
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

// toil goes over the field as a step does and computes as much, but none of its operations
// waits for another, or for memory: it reads and writes every row, fetches the next plane's
// meanwhile, and does `ops` 1024ths of an operation per cell. It changes no bit: u is
// multiplied by `one`, and `none` is added to f.
float toil(const Field *fd, int32_t n, const int64_t *ops, float one, float none) {
	vf a0 = all(1.00f), a1 = all(1.01f), a2 = all(1.02f), a3 = all(1.03f), a4 = all(1.04f), a5 = all(1.05f);
	vf a6 = all(1.06f), a7 = all(1.07f), a8 = all(1.08f), a9 = all(1.09f), a10 = all(1.10f), a11 = all(1.11f);
	const vf by = all(one), m = all(one * 0.999f), b = all(one * 1e-3f);
	const vu zero = (vu)all(none);
	int64_t owed = 0; // operations, in 1024ths, that rows so far have not done
	vf seen = all(none);
	for (int i = fd->first[n]; i < fd->first[n + 1]; i++) {
		const int c = fd->units[i];
		if (ops[c] == 0) continue;
		const PlacedChannel *s = &fd->channels[c];
		float *u = fd->u + s->offset;
		uint32_t *f = (uint32_t *)(fd->f + s->offset);
		const float *also = s->trace >= 0 ? fd->u + fd->channels[s->trace].offset : 0;
		const int own = PARTS + PARTS / 2 + (also ? PARTS : 0), plane = s->extent[1] * SIDE;
		for (int row = 0; row < s->size / SIDE; row++, u += SIDE, f += SIDE / 2) {
			fetch(u + plane);
			EACH_PART(j) storef(u + j * LANES, loadf(u + j * LANES) * by);
			EACH(j, PARTS / 2) *(vu_any *)(f + j * LANES) = *(const vu_any *)(f + j * LANES) + zero;
			if (also) {
				fetch(also + row * SIDE + plane);
				EACH_PART(j) seen += loadf(also + row * SIDE + j * LANES);
			}
			for (owed += ops[c] * PARTS - own * 1024; owed >= 24 * 1024; owed -= 24 * 1024) {
				a0 *= m, a1 *= m, a2 *= m, a3 *= m, a4 *= m, a5 *= m, a6 *= m, a7 *= m, a8 *= m, a9 *= m, a10 *= m, a11 *= m;
				a0 += b, a1 += b, a2 += b, a3 += b, a4 += b, a5 += b, a6 += b, a7 += b, a8 += b, a9 += b, a10 += b, a11 += b;
			}
		}
	}
	return (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + seen)[0];
}
