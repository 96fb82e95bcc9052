// Lateral interaction. Included by kernel.h, once for each way to multiply and add:
// DOT(acc, a, b) adds the products of 16-bit lanes, two by two, to acc.
//
// The plain loop, for each axis in the order X, Y, Z:
//
//   out[i] = (sum_d w[|d|] f[i+d] + ROUND) >> 15
//
// Outputs lie in 0..32768, one too many for a signed 16-bit lane, so the sums run
// over f - 16384. The weights add up to 32768, so that a sum lacks the constant 2^29:
// the last axis adds it, the others leave their results less 16384, as the next one
// wants them. Two taps are one DOT.

// A Line is 32 rows of CELLS cells each, or as many as there are planes of THICK bins.
#include "lines.h"
#ifdef LANE_LINES
#include LANE_LINES
#else
typedef Dots<1> Line;
#endif
template <int THICK> struct Lined { typedef Dots<THICK> Rows; };
template <> struct Lined<1> { typedef Line Rows; };

// across convolves along loop A or B: rows stand `stride` cells apart. Each line of
// rows is read whole before any of it is written: from may be one of the targets.
template <bool FIRST, bool LAST, int THICK = 1>
void across(const uint16_t *f, const Kernels &to, int outer, int outer_stride, int stride, bool wrap, Ahead *ahead) {
	typedef typename Lined<THICK>::Rows Rows;
	Rows line;
	for (int o = 0; o < outer; o++)
		for (int j = 0; j < SIDE; j += Rows::CELLS) {
			const int at = o * outer_stride + j;
			ahead->fetch(Rows::CELLS);
			line.template read<FIRST>(f + at, stride, wrap, to.inhibit ? INHIBIT_TAPS - 1 : EXCITE_TAPS - 1);
			line.template weigh<LAST>(to, at, stride);
		}
}

// A Strip is some rows with what stands beyond their ends: a DOT over the cells i and
// i+1 is two taps of cell i and, with other weights, of cell i+1. All rows are written
// before the first is read again: a load that spans two stores under way would wait
// for both.
struct Strip {
	enum { PITCH = 2 * SIDE, ROWS_OF = 32 };
	alignas(64) int16_t cells[ROWS_OF][PITCH]; // halo, 32 cells, halo and a rest

	template <bool FIRST>
	INLINE_MEMBER void read(const uint16_t *from, int n, bool wrap) {
		for (int r = 0; r < n; r++)
			for (int j = 0; j < SIDE; j += 2 * LANES) {
				LOOP_IS("strip read");
				const uint16_t *at = from + r * SIDE + j;
				*(vs_any *)(cells[r] + HALO + j) = FIRST || !BIASES ? biased(at) : *(const vs_any *)at;
			}
		for (int r = 0; r < n; r++) {
			LOOP_IS("strip ends");
			vs_halo *low = (vs_halo *)cells[r], *high = (vs_halo *)(cells[r] + HALO + SIDE);
			*low = wrap ? *(const vs_halo *)(cells[r] + SIDE) : vs_halo{} - (int16_t)BIAS;
			*high = wrap ? *(const vs_halo *)(cells[r] + HALO) : vs_halo{} - (int16_t)BIAS;
		}
	}

	// weigh has weights twice as large: the sums end in the upper halves.
	template <int HALF>
	INLINE_MEMBER void weigh(uint16_t *to, int n) const {
		vs even[HALF], odd[HALF];
		EACH(p, HALF) {
			const int d = 2 * p - (HALF - 1);
			even[p] = both(tap<HALF>(d, 2), tap<HALF>(d + 1, 2));
			odd[p] = both(tap<HALF>(d - 1, 2), tap<HALF>(d, 2));
		}
		const vi begin = vi{} + 2 * MISSING;
		for (int r = 0; r < n; r++)
			for (int j = 0; j < SIDE; j += 2 * LANES) {
				LOOP_IS("strip weigh");
				const int16_t *from = cells[r] + HALO + j - (HALF - 1);
				vi a = begin, b = begin;
				EACH(p, HALF) {
					const vs at = *(const vs_any *)(from + 2 * p);
					a = DOT(a, at, even[p]);
					b = DOT(b, at, odd[p]);
				}
				*(vs_any *)(to + r * SIDE + j) = (vs)(((vu)a >> 16) | ((vu)b & 0xffff0000u));
			}
	}
};

// along convolves within each row; it is the last axis of a channel that has it.
template <bool FIRST>
void along(const uint16_t *f, const Kernels &to, int size, bool wrap, Ahead *ahead) {
	Strip strip;
	for (int at = 0; at < size; at += Strip::ROWS_OF * SIDE) {
		const int n = (size - at) / SIDE < Strip::ROWS_OF ? (size - at) / SIDE : Strip::ROWS_OF;
		ahead->fetch(n);
		strip.read<FIRST>(f + at, n, wrap);
		if (to.excite) strip.weigh<EXCITE_TAPS>(to.excite + at, n);
		if (to.inhibit) strip.weigh<INHIBIT_TAPS>(to.inhibit + at, n);
	}
}

// planes convolves along loop A of a channel of fewer than 32 planes, its first axis of
// three.
void planes(const PlacedChannel *s, const uint16_t *from, const Kernels &to, Ahead *ahead) {
	if (thick(s) == 2) across<true, false, 2>(from, to, SIDE, SIDE, PLANE, false, ahead);
	else across<true, false, 4>(from, to, SIDE, SIDE, PLANE, false, ahead);
}

// loop convolves along one loop of a channel, or of one plane where that is B or R.
template <bool FIRST, bool LAST>
void loop(const PlacedChannel *s, int n, const uint16_t *from, const Kernels &to, Ahead *ahead) {
	const bool wrap = s->axis[n] == AXIS_X;
	if (n == 0)
		across<FIRST, LAST>(from, to, s->extent[1], SIDE, s->extent[1] * SIDE, wrap, ahead);
	else if (n == 1)
		across<FIRST, LAST>(from, to, 1, PLANE, SIDE, wrap, ahead);
	else
		along<FIRST>(from, to, s->extent[1] * SIDE, wrap, ahead);
}

// The interaction goes over every localised axis in the order of the loops, each pass
// rounded and shifted back to Q15: the first from the outputs f, the others in place.

// between convolves along loop A, if the channel is localised there: across all planes.
void between(const PlacedChannel *s, const uint16_t *f, const Kernels &to, Ahead *ahead) {
	if (!s->local[0]) return;
	if (thick(s) > 1) planes(s, f, to, ahead);
	else if (s->local[1] || s->local[2]) loop<true, false>(s, 0, f, to, ahead);
	else loop<true, true>(s, 0, f, to, ahead);
}

// within convolves plane a along its two loops; between has been there. Where loop A has
// nothing to do with the sums those of one plane take the place of those of the last.
void within(const PlacedChannel *s, const uint16_t *f, const Kernels &all, int a, Ahead *ahead) {
	const int size = s->extent[1] * SIDE, at = s->local[0] ? a * size : 0;
	const Kernels to = {all.excite ? all.excite + at : 0, all.inhibit ? all.inhibit + at : 0};
	f += a * size;
	int left = s->local[1] + s->local[2];
	bool first = !s->local[0];
	if (first && left == 0) { // uniform: the kernels sum to 1
		if (to.excite) __builtin_memcpy(to.excite, f, size * sizeof *f);
		if (to.inhibit) __builtin_memcpy(to.inhibit, f, size * sizeof *f);
	}
	for (int n = 1; n < 3; n++) {
		if (!s->local[n]) continue;
		const bool last = --left == 0;
		if (first && last) loop<true, true>(s, n, f, to, ahead);
		else if (first) loop<true, false>(s, n, f, to, ahead);
		else
			for (int k = 0; k < 2; k++) {
				const Kernels one = {k == 0 ? to.excite : 0, k == 1 ? to.inhibit : 0};
				const uint16_t *in = k == 0 ? one.excite : one.inhibit;
				if (!in) continue;
				if (last) loop<false, true>(s, n, in, one, ahead);
				else loop<false, false>(s, n, in, one, ahead);
			}
		first = false;
	}
}
