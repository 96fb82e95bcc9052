// Lateral interaction across the rows, by DOT. Included by lateral.h.

// Whether a pass that is not the last leaves its results less 16384, as the next one
// wants them.
#ifdef LANE_LINES
enum { BIASES = 0 };
#else
enum { BIASES = 1 };
#endif

// Dots are a Line whose neighbours are interleaved, so that one DOT takes both taps;
// beyond the ends of a bounded axis outputs are 0.
template <int THICK>
struct Dots {
	enum { CELLS = 2 * LANES, ROWS_OF = SIDE / THICK, REACH = INHIBIT_TAPS - 1, ZIPS = ROWS_OF + 2 * REACH };
	vs low[ZIPS], high[ZIPS]; // of rows r - REACH and r - REACH + 1

	template <bool FIRST>
	INLINE_MEMBER void read(const uint16_t *from, int stride, bool wrap, int reach) {
		const auto row = [&](int r) -> vs {
			if (!wrap && (r < 0 || r >= ROWS_OF)) return vs{} - (int16_t)BIAS;
			const uint16_t *at = from + (r & (ROWS_OF - 1)) * stride;
			return FIRST || !BIASES ? biased(at) : *(const vs_any *)at;
		};
		vs now = row(-reach);
		for (int r = REACH - reach; r < ZIPS - REACH + reach; r++) {
			LOOP_IS("line read");
			const vs next = row(r - REACH + 1);
			low[r] = ziplow(now, next);
			high[r] = ziphigh(now, next);
			now = next;
		}
	}

	template <bool LAST>
	INLINE_MEMBER void weigh(const Kernels &to, int at, int stride) const {
		if (to.excite) sum<EXCITE_TAPS, LAST>(to.excite + at, stride);
		if (to.inhibit) sum<INHIBIT_TAPS, LAST>(to.inhibit + at, stride);
	}

	template <int HALF, bool LAST>
	INLINE_MEMBER void sum(uint16_t *to, int stride) const {
		enum { WHOLE = LAST || !BIASES };
		vs w[HALF];
		EACH(p, HALF) w[p] = both(tap<HALF, THICK>(2 * p - (HALF - 1), 1), tap<HALF, THICK>(2 * p - (HALF - 2), 1));
		const vi begin = vi{} + (WHOLE ? MISSING : (int32_t)ROUND);
		for (int i = 0; i < ROWS_OF; i++) {
			LOOP_IS("line weigh");
			const int first = i + REACH - (HALF - 1);
			vi a = begin, b = begin;
			EACH(p, HALF) {
				a = DOT(a, low[first + 2 * p], w[p]);
				b = DOT(b, high[first + 2 * p], w[p]);
			}
			*(vs_any *)(to + i * stride) = WHOLE ? pack(a >> 15, b >> 15) : pack_signed(a >> 15, b >> 15);
		}
	}
};
