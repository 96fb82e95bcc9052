// The cosines of a context with all patterns' (field.Library). Included by
// kernel.h.

enum { MATCHED = (MAX_PATTERNS + LANES - 1) / LANES }; // vectors that hold every pattern

// match sums over the dimensions in their order, for LANES patterns at once; the
// sums stay in registers, a group of vectors after the other.
void match(const float *contexts, const float *z, float *cosine) {
	enum { GROUP = MATCHED < 14 ? MATCHED : 13 };
	for (int first = 0; first < MATCHED; first += GROUP) {
		vf sum[GROUP] = {};
		for (int i = 0; i < NUM_SENSES; i++) {
			const float *row = contexts + i * PATTERN_ROW + first * LANES;
#pragma GCC unroll 16
			for (int k = 0; k < GROUP; k++) sum[k] += z[i] * loadf(row + k * LANES);
		}
		for (int k = 0; k < GROUP && first + k < PATTERN_ROW / LANES; k++) storef(cosine + (first + k) * LANES, sum[k]);
	}
}
