// The old activations around a row, and their diffusion. Included by kernel.h.

// Planes are the old activations around one plane of a channel. Where rows are advanced
// in place each is kept before it is overwritten: the rows and the plane behind it need it.
struct Planes {
	const float *below, *at, *above; // along loop A
	float *kept;                     // null where nothing is overwritten

	// row is an old row of this plane from row b on: the ones before it are overwritten.
	INLINE_MEMBER const float *row(int n, int b) const { return (kept && n < b ? kept : at) + n * SIDE; }
};

// Walk hands out the old planes of a channel that is advanced in place: what was overwritten
// is in scratch, of the first plane to the end, for loop A may wrap. A channel that was
// displaced has all its old planes in scratch.
struct Walk {
	const float *moved; // old activations elsewhere, or null
	float *u, *scratch;
	int planes, size; // size of a plane
	bool keeps;       // whether anybody asks for what was overwritten

	Walk(Field *fd, Scratch *w, const PlacedChannel *s, const float *displaced)
		: moved(displaced), u(fd->u + s->offset), scratch(w->u), planes(s->extent[0]), size(s->extent[1] * SIDE),
		  keeps(s->local[0] || s->local[1]) {}
	float *kept(int a) const { return scratch + (a == 0 ? 0 : 1 + (a & 1)) * PLANE; }
	Planes at(int a, const PlacedChannel *s) const {
		int lo = below(a, s->axis[0]), hi = above(a, s->axis[0]);
		if (s->axis[0] == AXIS_Z && hi == planes) hi = a; // fewer than 32
		if (planes == 1) lo = hi = 0;
		if (moved) return Planes{moved + lo * size, moved + a * size, moved + hi * size, 0};
		return Planes{lo < a ? kept(lo) : u + lo * size, u + a * size, hi < a ? kept(hi) : u + hi * size, keeps ? kept(a) : 0};
	}
};

// beside returns the neighbours along the row of all its cells, the one before and the one
// behind added; at the ends of a bounded axis a cell is its own neighbour.
INLINE void beside(const float *row, const vf *v, bool wrap, vf *sum) {
	const vi back = (lane() + (LANES - 1)) & (LANES - 1), on = (lane() + 1) & (LANES - 1);
	const vi begin = lane() == 0, end = lane() == LANES - 1;
	const int last = SIDE - 1, before = wrap ? last : 0, behind = wrap ? 0 : last;
	EACH_PART(j) {
		const vf low = j > 0 ? loadf(row + j * LANES - 1) : choose(begin, all(row[before]), __builtin_shuffle(v[0], back));
		const vf high = j < PARTS - 1 ? loadf(row + j * LANES + 1) : choose(end, all(row[behind]), __builtin_shuffle(v[j], on));
		sum[j] = low + high;
	}
}

// diffused multiplies and subtracts at once where the product is exact anyway.
INLINE vf diffused(vf u, float nu, vf sum, float count) {
	return u + nu * (count == 2 || count == 4 ? scale_add(u, -count, sum) : sum - count * u);
}

// diffuse writes u + nu LAP(u) of N rows of a plane, from row b on, into d, and keeps the
// old rows.
template <int N>
INLINE void diffuse(const PlacedChannel *s, const Planes &p, int b, float nu, vf *d) {
	const float *centre = p.at + b * SIDE;
	EACH(n, N * PARTS) d[n] = loadf(centre + n * LANES);
	if (nu == 0) return;
	vf sum[N * PARTS] = {}; // what is added to it first may stand alone: -0 for 0 changes no bit of u + nu LAP(u)
	float count = 0;
	if (s->local[0]) {
		EACH(n, N * PARTS) sum[n] = loadf(p.below + b * SIDE + n * LANES) + loadf(p.above + b * SIDE + n * LANES);
		count += 2;
		if (const int bins = thick(s); bins > 1) {
			const float share = 1.0f / (float)bins;
			EACH(n, N * PARTS) sum[n] *= share;
			count *= share;
		}
	}
	if (s->local[1]) {
		const float *lo = p.row(below(b, s->axis[1]), b), *hi = p.row(above(b + N - 1, s->axis[1]), b);
		vf pair[N * PARTS], next[PARTS];
		EACH_PART(j) pair[j] = loadf(lo + j * LANES);
		EACH_PART(j) next[j] = loadf(hi + j * LANES);
		EACH(n, (N - 1) * PARTS) pair[n + PARTS] = d[n];
		EACH(n, N * PARTS) pair[n] += n < (N - 1) * PARTS ? d[(n + PARTS) % (N * PARTS)] : next[n % PARTS];
		if (s->local[0]) EACH(n, N * PARTS) sum[n] += pair[n];
		else EACH(n, N * PARTS) sum[n] = pair[n];
		count += 2;
	}
	if (s->local[2]) {
		vf pair[N * PARTS];
		EACH(k, N) beside(centre + k * SIDE, d + k * PARTS, s->axis[2] == AXIS_X, pair + k * PARTS);
		EACH(n, N * PARTS) sum[n] += pair[n];
		count += 2;
	}
	if (p.kept) EACH(n, N * PARTS) storef(p.kept + b * SIDE + n * LANES, d[n]);
	EACH(n, N * PARTS) d[n] = diffused(d[n], nu, sum[n], count);
}
