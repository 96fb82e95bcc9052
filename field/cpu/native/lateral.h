// Lateral interaction. Included by kernel.h.
//
// The plain loop, for each axis in the order X, Y, Z:
//
//   out[i] = (sum_d w[|d|] f[i+d] + ROUND) >> 15
//
// Outputs lie in 0..32768, one too many for a signed 16-bit lane, so the sums
// run over f - 16384: the weights add up to 32768, so what is missing is the
// constant 2^29, which is added with the rounding. Two taps are one madd.

const int16_t EXCITE[EXCITE_TAPS] = EXCITE_WEIGHTS;
const int16_t INHIBIT[INHIBIT_TAPS] = INHIBIT_WEIGHTS;

enum { HALO = 8, HPARTS = SIDE / (2 * LANES), BIAS = 16384 };
const int32_t MISSING = (1 << 29) + ROUND;

INLINE vs biased(const uint16_t *p) { return (vs)(*(const vh_any *)p - (uint16_t)BIAS); } // wraps, defined
INLINE vi scaled(vi sum) { return (sum + MISSING) >> 15; }

// Pairs are the weights of two neighbouring taps each, the last one with 0.
template <int HALF>
struct Pairs {
	vs w[HALF];
	explicit Pairs(const int16_t *half) {
		for (int p = 0; p < HALF; p++) {
			int d = 2 * p - (HALF - 1), e = d + 1;
			int16_t even = half[d < 0 ? -d : d], odd = p == HALF - 1 ? 0 : half[e < 0 ? -e : e];
			for (int k = 0; k < 2 * LANES; k++) w[p][k] = k % 2 ? odd : even;
		}
	}
};

// across convolves along loop A or B: rows stand `stride` cells apart. Each
// line of 32 rows is read once; neighbouring rows are interleaved, so that one
// madd takes both taps.
template <int HALF>
void across(const uint16_t *f, uint16_t *dst, int outer, int outer_stride, int stride, bool wrap,
			const int16_t *half) {
	const Pairs<HALF> pairs(half);
	enum { REACH = HALF - 1, ZIPS = SIDE + 2 * REACH };
	vs low[ZIPS][HPARTS], high[ZIPS][HPARTS]; // of rows r - REACH and r - REACH + 1
	for (int o = 0; o < outer; o++) {
		const uint16_t *from = f + o * outer_stride;
		uint16_t *to = dst + o * outer_stride;
		for (int j = 0; j < HPARTS; j++) {
			auto row = [&](int r) -> vs {
				if (!wrap && (r < 0 || r >= SIDE)) return vs{} - (int16_t)BIAS; // outputs of 0
				return biased(from + (r & (SIDE - 1)) * stride + j * 2 * LANES);
			};
			vs now = row(-REACH);
			for (int r = 0; r < ZIPS; r++) {
				vs next = row(r - REACH + 1);
				low[r][j] = ziplow(now, next);
				high[r][j] = ziphigh(now, next);
				now = next;
			}
		}
		for (int i = 0; i < SIDE; i++)
			for (int j = 0; j < HPARTS; j++) {
				vi a = madd(low[i][j], pairs.w[0]), b = madd(high[i][j], pairs.w[0]);
				_Pragma("GCC unroll 8") for (int p = 1; p < HALF; p++) {
					a += madd(low[i + 2 * p][j], pairs.w[p]);
					b += madd(high[i + 2 * p][j], pairs.w[p]);
				}
				*(vs_any *)(to + i * stride + j * 2 * LANES) = pack(scaled(a), scaled(b));
			}
	}
}

// along convolves within each row: a madd over cells i, i+1 is two taps of the
// even outputs, one over i+1, i+2 the same two taps of the odd ones. The rows
// of a block are all written with their halo before the first is read again:
// a load that spans two stores under way would wait for both.
template <int HALF>
void along(const uint16_t *f, uint16_t *dst, int size, bool wrap, const int16_t *half) {
	const Pairs<HALF> pairs(half);
	enum { PITCH = 2 * SIDE, BLOCK = 32 };
	alignas(64) int16_t cells[BLOCK][PITCH]; // halo, 32 cells, halo and a rest
	for (int r = 0; r < BLOCK; r++)
		for (int i = 0; i < PITCH; i++) cells[r][i] = -BIAS; // outputs of 0
	for (int at = 0; at < size; at += BLOCK * SIDE) {
		int n = (size - at) / SIDE < BLOCK ? (size - at) / SIDE : BLOCK;
		for (int r = 0; r < n; r++) {
			const uint16_t *row = f + at + r * SIDE;
			for (int j = 0; j < SIDE; j += 2 * LANES) *(vs_any *)(cells[r] + HALO + j) = biased(row + j);
			if (wrap)
				for (int d = 0; d < HALO; d++) {
					cells[r][d] = (int16_t)(row[SIDE - HALO + d] - BIAS);
					cells[r][HALO + SIDE + d] = (int16_t)(row[d] - BIAS);
				}
		}
		for (int r = 0; r < n; r++)
			for (int j = 0; j < SIDE; j += 2 * LANES) {
				const int16_t *from = cells[r] + HALO + j - (HALF - 1);
				vi even = {}, odd = {};
				_Pragma("GCC unroll 9") for (int p = 0; p < HALF; p++) {
					even += madd(*(const vs_any *)(from + 2 * p), pairs.w[p]);
					odd += madd(*(const vs_any *)(from + 2 * p + 1), pairs.w[p]);
				}
				*(vs_any *)(dst + at + r * SIDE + j) = (vs)(scaled(even) | (vi)((vu)scaled(odd) << 16));
			}
	}
}

// lateral convolves the outputs with one kernel over every localised axis in
// the order X, Y, Z, each pass rounded and shifted back to Q15.
template <int HALF>
void lateral(const PlacedChannel *s, const uint16_t *f, uint16_t *dst, uint16_t *tmp, const int16_t *w) {
	int passes = s->local[0] + s->local[1] + s->local[2];
	if (passes == 0) __builtin_memcpy(dst, f, s->size * sizeof *f); // uniform: the kernel sums to 1
	const uint16_t *from = f;
	for (int loop = 0; loop < 3; loop++) {
		if (!s->local[loop]) continue;
		uint16_t *to = --passes % 2 ? tmp : dst;
		bool wrap = s->axis[loop] == AXIS_X;
		if (loop == 0) // a row of SIDE planes: every row of a plane is an outer loop
			across<HALF>(from, to, s->extent[1], SIDE, s->extent[1] * SIDE, wrap, w);
		else if (loop == 1)
			across<HALF>(from, to, s->extent[0], PLANE, SIDE, wrap, w);
		else
			along<HALF>(from, to, s->size, wrap, w);
		from = to;
	}
}
