// What the lateral interaction (lateral.h) is made of. Included by kernel.h.

constexpr int16_t EXCITE[EXCITE_TAPS] = EXCITE_WEIGHTS;
constexpr int16_t INHIBIT[INHIBIT_TAPS] = INHIBIT_WEIGHTS;

enum { HALO = 8, BIAS = 16384 };
const int32_t MISSING = (1 << 29) + ROUND;

typedef int16_t vs_halo __attribute__((vector_size(HALO * 2), aligned(2), may_alias));

// Kernels say where the sums of a channel's interaction kernels go.
struct Kernels {
	uint16_t *excite, *inhibit; // null without
};

// biased are outputs less 16384.
INLINE vs biased(const uint16_t *p) { return (vs)(*(const vh_any *)p - (uint16_t)BIAS); } // wraps, defined

// weight is that at distance d: 0 beyond the kernel.
template <int HALF>
constexpr int weight_at(int d) {
	const int16_t *half = HALF == EXCITE_TAPS ? EXCITE : INHIBIT;
	d = d < 0 ? -d : d;
	return d < HALF ? half[d] : 0;
}

// weight_between is that of two planes of THICK bins, d planes apart: field.Thicken.
template <int HALF, int THICK>
constexpr int weight_between(int d) {
	if (THICK == 1) return weight_at<HALF>(d);
	if (d == 0) {
		int rest = ONE;
		for (int k = 1; k < HALF; k++) rest -= 2 * weight_between<HALF, THICK>(k);
		return rest;
	}
	d = d < 0 ? -d : d;
	int sum = THICK / 2;
	for (int k = 1 - THICK; k < THICK; k++) sum += (THICK - (k < 0 ? -k : k)) * weight_at<HALF>(d * THICK + k);
	return sum / THICK;
}

// tap is the weight at distance d, times a factor.
template <int HALF, int THICK = 1>
INLINE int tap(int d, int factor) { return weight_between<HALF, THICK>(d) * factor; }

// kept is a constant that stays in a register, or on the stack where there are too few: the
// compiler puts it together anew wherever it is used.
INLINE vs kept(vs v) {
	__asm__("" : LANE_REGISTER(v));
	return v;
}

// both is a vector of pairs of weights.
INLINE vs both(int even, int odd) { return kept((vs)(vi{} + (int32_t)((uint32_t)even | (uint32_t)odd << 16))); }

// Ahead is memory that will be wanted soon: a loop that computes much asks for it
// meanwhile, so that the one that follows finds it in the second cache level.
struct Ahead {
	const char *at, *end;
	int lines; // to ask for per row of 32 cells

	INLINE_MEMBER void fetch(int rows) {
		for (int n = rows * lines; n > 0 && at < end; n--, at += 64) __builtin_prefetch(at, 0, 2);
	}
};
