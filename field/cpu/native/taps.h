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

// tap is the weight at distance d, times a factor: 0 beyond the kernel.
template <int HALF>
INLINE int tap(int d, int factor) {
	const int16_t *half = HALF == EXCITE_TAPS ? EXCITE : INHIBIT;
	d = d < 0 ? -d : d;
	return d < HALF ? half[d] * factor : 0;
}

// both is a vector of pairs of weights.
INLINE vs both(int even, int odd) { return (vs)(vi{} + (int32_t)((uint32_t)even | (uint32_t)odd << 16)); }

// Ahead is memory that will be wanted soon: a loop that computes much asks for it
// meanwhile, so that the one that follows finds it in the second cache level.
struct Ahead {
	const char *at, *end;
	int lines; // to ask for per row of 32 cells

	INLINE_MEMBER void fetch(int rows) {
		for (int n = rows * lines; n > 0 && at < end; n--, at += 64) __builtin_prefetch(at, 0, 2);
	}
};
