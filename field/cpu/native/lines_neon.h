// Lateral interaction across the rows, for NEON. Included by lateral.h.
//
// Kernels are symmetric: the two cells at a distance are added before one product takes
// both. The sum of two outputs is 65536 at most, one too many for 16 bits. So the one
// ahead is 32767 where it is 32768, full; what that lacks, the weight once, is looked up:
// a byte per cell says which of the eight rows ahead are full.

// Lacks are, byte by byte, the sums of those of four weights that a number of four bits
// names.
struct Lacks {
	uint8_t low[16], high[16];

	constexpr Lacks(const int16_t *half, int first) : low{}, high{} {
		for (int n = 0; n < 16; n++) {
			int sum = 0;
			for (int k = 0; k < 4; k++) sum += n >> k & 1 ? half[first + k] : 0;
			low[n] = sum & 255;
			high[n] = sum >> 8;
		}
	}
};
constexpr Lacks EXCITE_LACKS(EXCITE, 1), INHIBIT_LACKS(INHIBIT, 1), INHIBIT_FAR_LACKS(INHIBIT, 5);

// Sixteen are the sums of 16 cells.
struct Sixteen {
	uint32x4_t v[4];

	INLINE_MEMBER explicit Sixteen(const uint16x8_t *p, uint16x8_t w)
		: v{vmull_laneq_u16(vget_low_u16(p[0]), w, 0), vmull_high_laneq_u16(p[0], w, 0),
			vmull_laneq_u16(vget_low_u16(p[1]), w, 0), vmull_high_laneq_u16(p[1], w, 0)} {}
	INLINE_MEMBER void add(const uint16x8_t *p, uint16x8_t w, const int lane) {
		EACH(h, 2) {
			v[2 * h] = vmlal_laneq_u16(v[2 * h], vget_low_u16(p[h]), w, lane);
			v[2 * h + 1] = vmlal_high_laneq_u16(v[2 * h + 1], p[h], w, lane);
		}
	}
	INLINE_MEMBER void add(uint16x8_t a, uint16x8_t b) {
		v[0] = vaddw_u16(v[0], vget_low_u16(a));
		v[1] = vaddw_high_u16(v[1], a);
		v[2] = vaddw_u16(v[2], vget_low_u16(b));
		v[3] = vaddw_high_u16(v[3], b);
	}
	INLINE_MEMBER void store(uint16_t *to) const {
		EACH(h, 2) vst1q_u16(to + 8 * h, vrshrn_high_n_u32(vrshrn_n_u32(v[2 * h], 15), v[2 * h + 1], 15));
	}
};

// A Looked is a table of Lacks in registers.
struct Looked {
	uint8x16_t low, high;

	INLINE_MEMBER explicit Looked(const Lacks &of) : low(vld1q_u8(of.low)), high(vld1q_u8(of.high)) {}
	INLINE_MEMBER uint16x8x2_t at(uint8x16_t n) const {
		const uint8x16_t l = vqtbl1q_u8(low, n), h = vqtbl1q_u8(high, n);
		return {{(uint16x8_t)vzip1q_u8(l, h), (uint16x8_t)vzip2q_u8(l, h)}};
	}
};

// What lies beyond the ends.
alignas(16) const uint16_t NONE[16] = {};

// A Line holds its rows twice: whole, and 32767 at most. Beyond the ends of a bounded
// axis outputs are 0.
struct Line {
	enum { CELLS = 16, REACH = INHIBIT_TAPS - 1, READ = SIDE + 2 * REACH };
	uint16x8_t whole[READ][2], less[READ][2];
	uint8x16_t full[READ]; // bit 7 - n: whether the cell is full n rows before

	template <bool FIRST>
	INLINE_MEMBER void read(const uint16_t *from, int stride, bool wrap, int reach) {
		const uint16x8_t most = vdupq_n_u16(ONE - 1);
		uint8x16_t before = vdupq_n_u8(0);
		for (int r = REACH - reach; r < READ - REACH + reach; r++) {
			LOOP_IS("line read");
			const bool there = wrap || (r >= REACH && r < REACH + SIDE);
			const uint16_t *at = there ? from + ((r - REACH) & (SIDE - 1)) * stride : NONE;
			EACH(h, 2) {
				whole[r][h] = vld1q_u16(at + 8 * h);
				less[r][h] = vminq_u16(whole[r][h], most);
			}
			full[r] = before = vsriq_n_u8(vuzp2q_u8((uint8x16_t)whole[r][0], (uint8x16_t)whole[r][1]), before, 1);
		}
	}

	template <bool LAST>
	INLINE_MEMBER void weigh(const Kernels &to, int at, int stride) const {
		if (to.excite && to.inhibit) sum<true, true>(to.excite + at, to.inhibit + at, stride);
		else if (to.excite) sum<true, false>(to.excite + at, 0, stride);
		else if (to.inhibit) sum<false, true>(0, to.inhibit + at, stride);
	}

	template <bool EXCITES, bool INHIBITS>
	INLINE_MEMBER void sum(uint16_t *excite, uint16_t *inhibit, int stride) const {
		constexpr int HALF = INHIBITS ? (int)INHIBIT_TAPS : (int)EXCITE_TAPS;
		const uint16x8_t e = {EXCITE[0], EXCITE[1], EXCITE[2], EXCITE[3], EXCITE[4]};
		const uint16x8_t n = vld1q_u16((const uint16_t *)INHIBIT), far = vdupq_n_u16(INHIBIT[8]);
		const Looked lacks_e(EXCITE_LACKS), lacks_n(INHIBIT_LACKS), lacks_far(INHIBIT_FAR_LACKS);
		for (int i = 0; i < SIDE; i++) {
			LOOP_IS("line weigh");
			const int r = i + REACH;
			Sixteen a(whole[r], e), b(whole[r], n);
			EACH(k, HALF - 1) {
				const int d = k + 1;
				const uint16x8_t pair[2] = {whole[r - d][0] + less[r + d][0], whole[r - d][1] + less[r + d][1]};
				if (EXCITES && d < EXCITE_TAPS) a.add(pair, e, d & 7);
				if (INHIBITS) b.add(pair, d < 8 ? n : far, d & 7);
			}
			const uint8x16_t ahead = full[r + HALF - 1], upper = ahead >> 4;
			const uint8x16_t next = INHIBITS ? ahead & 15 : upper; // the four rows next to this one
			if (EXCITES) {
				const uint16x8x2_t lack = lacks_e.at(next);
				a.add(lack.val[0], lack.val[1]);
				a.store(excite + i * stride);
			}
			if (INHIBITS) {
				const uint16x8x2_t lack = lacks_n.at(next), more = lacks_far.at(upper);
				b.add(lack.val[0] + more.val[0], lack.val[1] + more.val[1]);
				b.store(inhibit + i * stride);
			}
		}
	}
};
static_assert(EXCITE_TAPS == 5 && INHIBIT_TAPS == 9, "Line takes four rows, and four more");
