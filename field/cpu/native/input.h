// The input S of a channel: terms and couplings. Included by kernel.h.
//
// Far from its centre a term is a product of three tails. Below 2^-126 such a product,
// or the update's share of it, is subnormal, and some processors take a hundred times as
// long for it. On these it becomes 0 (tiny.h) where no bit of the update depends on it:
//
//   FAR    |h| >= 1e-3, and b is h + S. What is lost of a term, 64^2 2^-126 at most (its
//          profiles are 64 at most), changes S only where S is far below an ulp of h. The
//          rest of the update is computed as everywhere.
//   ALONE  h = 0, a linear channel without trace, coupling, pattern and noise, where b is
//          S. Its activations are 0 or FAINT at least: beside one a number below 2^-124 is
//          less than half an ulp, and where it is 0 such a number settles to 0. So nothing
//          is lost that the update computes, nor of one term whose profiles are 1 at most.
//          Of several terms more may be: where the processor saw that something was, the
//          plane is computed with products 2^64 times as large, each rounded where it
//          would be.

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

// collect finds the channel's inputs once per tick. What may be flushed is asked for only
// where the processor is slow at it.
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
	in->leave = STRICT;
	if (!fd->subnormals_slow || s->local[0] + s->local[1] + s->local[2] < 2) return; // one tail alone is normal
	const float h = f->coef[c].resting;
	in->lone = in->terms == 1 && within_one(&in->term[0]);
	if (h >= 1e-3f || h <= -1e-3f) in->leave = FAR;
	else if (h == 0 && s->kind == LINEAR && s->trace < 0 && in->couplings == 0 && !led && f->coef[c].noise == 0 && (in->lone || SCALES))
		in->leave = ALONE;
}

// plane_sum is the sum of all terms and couplings in the first rows of plane a.
APART void plane_sum(const Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
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
		EACH_PART(j) to[b * PARTS + j] = sum[j];
	}
}

#if SCALES
// scaled_row adds a term to one row, 2^64 times as large: w is its weight, not yet rounded.
INLINE void scaled_row(const Stimulus *t, double w, vf *sum) {
	const vf steps = all(0x1.8p-62f), normal = all(0x1p-62f); // steps + v is v in steps of 2^-149 2^64
	if (__builtin_fabs(w) < SMALLEST) w = (w + 0x1.8p-97) - 0x1.8p-97; // in steps of 2^-149
	const vf up = all((float)(w * 0x1p64));
	EACH_PART(j) {
		const vf r = loadf(t->r + j * LANES), product = up * r, rounded = FUSED_SUM(up, r, steps) - steps;
		sum[j] += choose((product < normal) & (product > -normal), rounded, product);
	}
}

// scaled_sum is plane_sum of a channel without couplings, with products 2^64 times as large.
APART void scaled_sum(const Inputs *in, int a, int rows, vf *to) {
	const vf least = all(SUBNORMAL * 0x1p64f);
	for (int b = 0; b < rows; b++, to += PARTS) {
		EACH_PART(j) to[j] = vf{};
		for (int n = 0; n < in->terms; n++) {
			const Stimulus *t = &in->term[n];
			scaled_row(t, (double)(t->a[a] * t->amp) * t->b[b], to);
		}
		EACH_PART(j) to[j] = choose((to[j] >= least) | (to[j] <= -least), to[j], vf{}) * 0x1p-64f;
	}
}
#else
INLINE void scaled_sum(const Inputs *, int, int, vf *) {} // nobody asks
#endif

// flushed_sum is plane_sum where some of it may be lost; it reports whether some was.
INLINE bool flushed_sum(const Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
	const Results results(in->leave == STRICT ? AS_BEFORE : FLUSHED);
	plane_sum(in, s, a, rows, to);
	return results.lost();
}

// input is the sum of which S is made, clipped, of the first rows of plane a.
INLINE void input(const Inputs *in, const PlacedChannel *s, int a, int rows, vf *to) {
	if (flushed_sum(in, s, a, rows, to) && in->leave == ALONE && !in->lone) {
		const Results results(COMPUTED);
		scaled_sum(in, a, rows, to);
	}
}
