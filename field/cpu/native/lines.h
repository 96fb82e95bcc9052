// Lateral interaction across the rows, by DOT. Included by lateral.h.

// Whether a pass that is not the last leaves its results less 16384, as the next one
// wants them.
#ifdef LANE_LINES
enum { BIASES = 0 };
#else
enum { BIASES = 1 };
#endif

// Dots are a Line whose rows are interleaved two by two, so that one DOT takes both: with
// some weights for the first of two rows, with others for the second. Beyond the ends of a
// bounded axis outputs are 0.
template <int THICK>
struct Dots {
	enum { CELLS = 2 * LANES, ROWS_OF = SIDE / THICK, REACH = INHIBIT_TAPS - 1, ZIPS = ROWS_OF / 2 + REACH };
	vs low[ZIPS], high[ZIPS]; // of rows 2 n - REACH and 2 n - REACH + 1

	template <bool FIRST>
	INLINE_MEMBER void read(const uint16_t *from, int stride, bool wrap, int reach) {
		const auto row = [&](int r) -> vs {
			if (!wrap && (r < 0 || r >= ROWS_OF)) return vs{} - (int16_t)BIAS;
			const uint16_t *at = from + (r & (ROWS_OF - 1)) * stride;
			return FIRST || !BIASES ? biased(at) : *(const vs_any *)at;
		};
		for (int r = -reach; r < ROWS_OF + reach; r += 2) {
			LOOP_IS("line read");
			const vs one = row(r), other = row(r + 1);
			low[(r + REACH) / 2] = ziplow(one, other);
			high[(r + REACH) / 2] = ziphigh(one, other);
		}
	}

	template <bool LAST>
	INLINE_MEMBER void weigh(const Kernels &to, int at, int stride) const {
		if (to.excite) sum<EXCITE_TAPS, LAST>(to.excite + at, stride);
		if (to.inhibit) sum<INHIBIT_TAPS, LAST>(to.inhibit + at, stride);
	}

	template <int HALF, bool LAST>
	INLINE_MEMBER void sum(uint16_t *to, int stride) const {
		enum { WHOLE = LAST || !BIASES, FIRST = (REACH - (HALF - 1)) / 2 };
		static_assert(HALF % 2 == 1, "rows are taken two by two");
		vs even[HALF], odd[HALF]; // weights of two rows in the sums of the first and of the second
		EACH(p, HALF) {
			const int d = 2 * p - (HALF - 1);
			even[p] = both(tap<HALF, THICK>(d, 1), tap<HALF, THICK>(d + 1, 1));
			odd[p] = both(tap<HALF, THICK>(d - 1, 1), tap<HALF, THICK>(d, 1));
		}
		const vi begin = vi{} + (WHOLE ? MISSING : (int32_t)ROUND);
		for (int i = 0; i < ROWS_OF; i += 4, to += 4 * stride) {
			LOOP_IS("line weigh");
			vi a[4], b[4]; // of four rows: enough sums at once for the latency of a DOT
			EACH(n, 4) a[n] = b[n] = begin;
			EACH(p, HALF + 1) {
				const vs left = low[i / 2 + FIRST + p], right = high[i / 2 + FIRST + p];
				EACH(n, 4) {
					const int q = p - n / 2;
					if (q < 0 || q >= HALF) continue;
					const vs w = n % 2 ? odd[q] : even[q];
					a[n] = DOT(a[n], left, w);
					b[n] = DOT(b[n], right, w);
				}
			}
			EACH(n, 4) {
				a[n] >>= 15, b[n] >>= 15;
				*(vs_any *)(to + n * stride) = WHOLE ? pack(a[n], b[n]) : pack_signed(a[n], b[n]);
			}
		}
	}
};
