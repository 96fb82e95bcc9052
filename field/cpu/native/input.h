// The input S of a channel: terms and couplings. Included by kernel.h.
//
// Far from its centre a term is a product of three tails. Below 2^-126 such a product,
// or the update's share of it, is subnormal, and some processors take a hundred times as
// long for it. On these it becomes 0 (tiny.h) where no bit of the update depends on it:
//
//   FAR    |h| >= 1e-3, and b is h + S. What is lost of a term, 64^2 2^-126 at most (no
//          profile is larger than 64), can decide how a sum rounds only in a tie, so the
//          next term that it moves is 2^24 times as large at most, and so on. From four
//          terms it does not come up to half an ulp of h; of more the processor is asked.
//          The rest of the update is computed as everywhere.
//   ALONE  h = 0, a linear channel without trace, coupling, pattern, noise and diffusion,
//          where b is S and d is u. Beside an activation of FAINT or more a number below
//          2^-124 is less than half an ulp, and beside a lesser one, which displaced or
//          written ones may be, what such a number changes settles to 0. So nothing is
//          lost that the update computes, nor of one term whose profiles are 1 at most; of
//          more the processor is asked.
//
// Where the processor saw that something was lost, the plane is computed anew: FAR as it is,
// ALONE with products 2^64 times as large, each rounded where it would be.

const float SUBNORMAL = 1.7632415e-38f; // 0.75 2^-125: a smaller S is nothing to ALONE
const double SMALLEST = 0x1p-126;       // normal number

enum { STRICT, FAR, ALONE };

#ifdef FUSED_SUM
#define SCALES 1
#else
#define SCALES 0
#endif

alignas(64) const float ONES[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
									  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

INLINE const float *profile(const float rows[3][SIDE], int axis) {
	return axis == 0 ? ONES : rows[axis >> 1]; // 1, 2, 4 to 0, 1, 2
}

// within_one reports whether no number of a term's profiles is larger than 1.
INLINE bool within_one(const Stimulus *t) {
	for (int k = 0; k < SIDE; k++)
		if (!(__builtin_fabsf(t->a[k]) <= 1 && __builtin_fabsf(t->b[k]) <= 1 && __builtin_fabsf(t->r[k]) <= 1)) return false;
	return true;
}

// scalable reports whether no amplitude is so large that 2^64 times a term were infinite.
INLINE bool scalable(const Inputs *in) {
	for (int n = 0; n < in->terms; n++)
		if (!(__builtin_fabsf(in->term[n].amp) <= 0x1p40f)) return false;
	return SCALES;
}

// may says what may be lost of a channel's terms, on a processor that is slow at it; led is a
// channel that patterns lead.
INLINE void may(const Coef &k, const PlacedChannel *s, bool led, Inputs *in) {
	if (s->local[0] + s->local[1] + s->local[2] < 2) return; // one tail alone is normal
	const float h = k.resting;
	if (h >= 1e-3f || h <= -1e-3f) {
		in->leave = FAR;
		in->sure = in->terms + in->couplings <= 4;
	} else if (h == 0 && s->kind == LINEAR && s->trace < 0 && in->couplings == 0 && !led && k.noise == 0 && k.nu == 0) {
		in->sure = in->terms == 1 && within_one(&in->term[0]);
		if (in->sure || scalable(in)) in->leave = ALONE;
	}
}

// collect finds the channel's inputs once per tick.
INLINE void collect(const Field *fd, const PlacedChannel *s, int c, bool led, Inputs *in) {
	const Frame *f = fd->frame;
	in->terms = in->couplings = 0;
	for (int n = f->start[c]; n < f->start[c + 1]; n++) {
		int t = f->index[n];
		in->term[in->terms++] = Stimulus{profile(f->rows[t], s->axis[0]), profile(f->rows[t], s->axis[1]),
									 profile(f->rows[t], s->axis[2]), f->amp[t]};
	}
	for (int i = 0; i < f->num_couplings; i++)
		if (f->to[i] == c && f->weight[i] != 0) {
			in->proj[in->couplings] = f->proj[i];
			in->weight[in->couplings++] = f->weight[i];
		}
	in->leave = STRICT, in->lost = false;
	if (fd->subnormals_slow) may(f->coef[c], s, led, in);
}

// Ground is upon what the input comes.
struct Ground {
	float resting, base; // level, and global inhibition of an active channel

	template <bool ACTIVE_TOO>
	INLINE_MEMBER vf under(vf sum) const {
		const vf b = resting + clipped(sum);
		return ACTIVE_TOO ? b - base : b;
	}
};

// plane_sum is what drive begins with in the first rows of plane a: the sum of all terms
// and couplings, clipped, upon the ground.
template <bool ACTIVE_TOO>
APART void plane_sum(const Ground ground, const Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
	alignas(64) float weight[MAX_ROWS][SIDE]; // of a term in each row
	for (int n = 0; n < in->terms; n++) {
		const Stimulus *t = &in->term[n];
		const float w = t->a[a] * t->amp;
		EACH_PART(j) storef(weight[n] + j * LANES, w * loadf(t->b + j * LANES));
	}
	for (int b = 0; b < rows; b++) {
		LOOP_IS("input");
		vf sum[PARTS] = {};
		for (int n = 0; n < in->terms; n++)
			EACH_PART(j) sum[j] += weight[n][b] * loadf(in->term[n].r + j * LANES);
		for (int n = 0; n < in->couplings; n++) {
			const float *at = in->proj[n] + a * s->pack[0] + b * s->pack[1];
			EACH_PART(j) sum[j] += in->weight[n] * (s->pack[2] ? loadf(at + j * LANES) : all(*at));
		}
		EACH_PART(j) to[b * PARTS + j] = ground.under<ACTIVE_TOO>(sum[j]);
	}
}

#if SCALES
// scaled_weights are a term's weights in the rows of plane a, 2^64 times as large, each
// rounded where it would be.
INLINE void scaled_weights(const Stimulus *t, int a, float *to) {
	const double at = t->a[a] * t->amp;
	for (int b = 0; b < SIDE; b++) {
		const double w = at * t->b[b], steps = (w + 0x1.8p-97) - 0x1.8p-97; // in steps of 2^-149
		to[b] = (float)((w < SMALLEST && w > -SMALLEST ? steps : w) * 0x1p64);
	}
}

// scaled_row adds a term to one row, 2^64 times as large; up is its weight.
INLINE void scaled_row(const float *profile, vf up, vf *sum) {
	const vf steps = all(0x1.8p-62f), normal = all(0x1p-62f); // steps + v is v in steps of 2^-149 2^64
	EACH_PART(j) {
		const vf r = loadf(profile + j * LANES), product = up * r, rounded = FUSED_SUM(up, r, steps) - steps;
		sum[j] += choose((product < normal) & (product > -normal), rounded, product);
	}
}

// scaled_sum is plane_sum of a channel without couplings, with products 2^64 times as large.
APART void scaled_sum(const Ground ground, const Inputs *in, int a, int rows, vf *to) {
	alignas(64) float up[MAX_ROWS][SIDE]; // weight of a term in each row
	for (int n = 0; n < in->terms; n++) scaled_weights(&in->term[n], a, up[n]);
	const vf least = all(SUBNORMAL * 0x1p64f);
	for (int b = 0; b < rows; b++) {
		vf sum[PARTS] = {};
		for (int n = 0; n < in->terms; n++) scaled_row(in->term[n].r, all(up[n][b]), sum);
		EACH_PART(j) {
			const vf much = choose((sum[j] >= least) | (sum[j] <= -least), sum[j], vf{});
			to[b * PARTS + j] = ground.under<false>(much * 0x1p-64f);
		}
	}
}
#else
INLINE void scaled_sum(const Ground, const Inputs *, int, int, vf *) {} // nobody asks
#endif

// flushed_sum is plane_sum where some of it may be lost; it reports whether what was lost
// may be something.
template <bool ACTIVE_TOO>
INLINE bool flushed_sum(const Ground &ground, const Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
	const Results results(in->leave == STRICT ? AS_BEFORE : FLUSHED);
	plane_sum<ACTIVE_TOO>(ground, in, s, a, rows, to);
	return in->leave != STRICT && !in->sure && results.lost();
}

// begin is what drive begins with in the first rows of plane a: the input S upon the resting
// level, less the global inhibition. Where ALONE lost something it will in the next plane, too.
template <bool ACTIVE_TOO>
INLINE void begin(const Ground &ground, Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
	const bool again = SCALES && in->leave == ALONE && in->lost;
	if (!again && !flushed_sum<ACTIVE_TOO>(ground, in, s, a, rows, to)) return;
	in->lost = true;
	const Results results(COMPUTED);
	if (in->leave == ALONE) scaled_sum(ground, in, a, rows, to);
	else plane_sum<ACTIVE_TOO>(ground, in, s, a, rows, to);
}
