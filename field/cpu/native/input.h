// The input S of a channel: terms and couplings. Included by kernel.h.
//
// Far from its centre a term is a product of three tails. Below 2^-126 such a product,
// or the update's share of it, is subnormal, and some processors take a hundred times as
// long for it. On these it is not computed so where no bit of the update depends on it;
// on the others looking for such products takes longer than they do.
//
//   FAR           |h| >= 1e-3, and b is h + S. 113 products of less than NOTHING change S
//                 only where S is far below an ulp of h: they are left out.
//   LINEAR_ALONE  h = 0, a linear channel without trace and coupling, where b is S. The
//                 sum is made of products 2^64 times as large, rounded where the product
//                 itself would be. Where d is 0, an S of less than NOTHING settles to 0,
//                 and beside a larger d, which is FAINT at least or settles, an S of less
//                 than SUBNORMAL is less than half an ulp: such an S may be 0.

const float NOTHING = 4e-31f;
const float SUBNORMAL = 1.7632415e-38f; // 0.75 2^-125
const float OFTEN = 1e-5f;              // of a weight as large no product is subnormal: a profile is 0 or FAINT at least
const float LARGEST = 64;               // of a profile: the heading's is 7, the others' 1
const double SMALLEST = 0x1p-126;       // normal number

enum { STRICT, FAR, LINEAR_ALONE };

alignas(64) const float ONES[SIDE] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
									  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

INLINE const float *profile(const float rows[3][SIDE], int axis) {
	return axis == 0 ? ONES : rows[axis >> 1]; // 1, 2, 4 to 0, 1, 2
}

// collect finds the channel's inputs once per tick.
INLINE void collect(const Field *fd, const PlacedChannel *s, int c, Inputs *in) {
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
	const float h = f->coef[c].resting;
	in->leave = STRICT;
	if (!fd->subnormals_slow) return;
	if (h >= 1e-3f || h <= -1e-3f) in->leave = FAR;
#ifdef FUSED_SUM
	else if (h == 0 && s->kind == LINEAR && s->trace < 0 && in->couplings == 0) in->leave = LINEAR_ALONE;
#endif
}

// whole_sum adds up the terms of row (a, b).
INLINE void whole_sum(const Inputs *in, int a, int b, vf *sum) {
	for (int n = 0; n < in->terms; n++) {
		const Stimulus *t = &in->term[n];
		const float w = t->a[a] * t->amp * t->b[b];
		EACH_PART(j) sum[j] += w * loadf(t->r + j * LANES);
	}
}

// weight is that of a term in row (a, b), not yet rounded.
INLINE double weight(const Stimulus *t, int a, int b) { return (double)(t->a[a] * t->amp) * t->b[b]; }

// far_sum leaves out products of less than NOTHING.
__attribute__((noinline)) void far_sum(const Inputs *in, int a, int b, vf *sum) {
	for (int n = 0; n < in->terms; n++) {
		const Stimulus *t = &in->term[n];
		const double exact = weight(t, a, b), size = __builtin_fabs(exact);
		if (size < NOTHING / LARGEST) continue;
		const float w = (float)exact;
		if (!(size < OFTEN)) {
			EACH_PART(j) sum[j] += w * loadf(t->r + j * LANES);
			continue;
		}
		const float least = NOTHING / (float)size;
		EACH_PART(j) {
			const vf r = loadf(t->r + j * LANES);
			sum[j] += w * choose((r >= least) | (r <= -least), r, vf{});
		}
	}
}

#ifdef FUSED_SUM
// scaled_sum computes with 2^64 times the products. d are the diffused activations, or
// null where they are not known to be those of this row alone.
__attribute__((noinline)) void scaled_sum(const Inputs *in, int a, int b, const vf *d, vf *sum) {
	const float up = 0x1p64f, down = 0x1p-64f;
	const vf steps = all(0x1.8p-62f), normal = all(0x1p-62f); // steps + v is v in steps of 2^-149 2^64
	for (int n = 0; n < in->terms; n++) {
		const Stimulus *t = &in->term[n];
		double exact = weight(t, a, b);
		if (__builtin_fabs(exact) < SMALLEST) exact = (exact + 0x1.8p-97) - 0x1.8p-97; // in steps of 2^-149
		const vf w = all((float)(exact * up));
		EACH_PART(j) {
			const vf r = loadf(t->r + j * LANES), product = w * r, rounded = FUSED_SUM(w, r, steps) - steps;
			sum[j] += choose((product < normal) & (product > -normal), rounded, product);
		}
	}
	EACH_PART(j) {
		const vf least = (d ? choose(d[j] == 0, all(NOTHING), all(SUBNORMAL)) : all(SUBNORMAL)) * up;
		sum[j] = choose((sum[j] >= least) | (sum[j] <= -least), sum[j], vf{}) * down;
	}
}

// alone_sum is the sum of a linear channel: most rows lie where it is nothing or where
// no product is subnormal.
__attribute__((noinline)) void alone_sum(const Inputs *in, int a, int b, const vf *d, vf *sum) {
	double least = 1, most = 0;
	for (int n = 0; n < in->terms; n++) {
		const double size = __builtin_fabs(weight(&in->term[n], a, b));
		least = size < least ? size : least;
		most = size > most ? size : most;
	}
	if (most == 0) return;
	if (least >= OFTEN) return whole_sum(in, a, b, sum);
	if (most < NOTHING / (LARGEST * MAX_ROWS) && d) {
		vf any = vf{};
		EACH_PART(j) any = highest(any, highest(d[j], -d[j]));
		if (!differs(any, vf{})) return;
	}
	scaled_sum(in, a, b, d, sum);
}
#endif

// input is S of row (a, b).
INLINE void input(const Inputs *in, const PlacedChannel *s, int a, int b, const vf *d, vf *sum) {
	EACH_PART(j) sum[j] = vf{};
	if (in->leave == FAR) far_sum(in, a, b, sum);
#ifdef FUSED_SUM
	else if (in->leave == LINEAR_ALONE) alone_sum(in, a, b, d, sum);
#endif
	else whole_sum(in, a, b, sum);
	for (int n = 0; n < in->couplings; n++) {
		const float *at = in->proj[n] + a * s->pack[0] + b * s->pack[1];
		EACH_PART(j)
			sum[j] += in->weight[n] * (s->pack[2] ? loadf(at + j * LANES) : all(*at));
	}
	EACH_PART(j) sum[j] = clipped(sum[j]);
}

