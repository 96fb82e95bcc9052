// What as many pings hear as a vector has lanes, from cars at one site where nothing
// moves: hear of sonar.h for each of them, with its bits. What may be in a cone is looked
// for with the pings in lanes. Then one loop takes every thing with every ping in whose
// cone it may be, its rays in lanes: how often a single loop turns, a processor foresees
// better than how often one for each ping does, and no turn waits for the one before.

namespace {

// A Volley is such pings, and what their rays have met so far.
struct Volley {
	const double *numbers;
	const int32_t *r; // the site's record
	int n;            // pings
	V ox, oy, mx, my; // from where and where to
	V c, s;           // of half the cone
	double x[WIDTH], y[WIDTH], luck[WIDTH];
	Beam rays[WIDTH][BEAMS];
};

// spread gives the pings their rays.
INLINE void spread(Volley &v) {
	const double *cone = v.numbers + v.r[CAR_AT] + CAR_CONE;
	double mx[WIDTH], my[WIDTH];
	store(v.x, v.ox), store(v.y, v.oy), store(mx, v.mx), store(my, v.my);
	v.c = splat(cone[0]), v.s = splat(-cone[8]);
	for (int i = 0; i < BEAMS; i++) {
		const V c = load(cone + WIDTH * i), s = load(cone + 8 + WIDTH * i), none = splat(INFINITE);
		for (int k = 0; k < WIDTH; k++) v.rays[k][i] = {mx[k] * c - my[k] * s, mx[k] * s + my[k] * c, none, none};
	}
}

// wall_in says in which pings' cones a wall may be, and disc_in a disc: walls_in and
// discs_in of sonar.h.
INLINE unsigned wall_in(const Volley &v, double wx, double wy, double dx, double dy) {
	const V ax = wx - v.ox, ay = wy - v.oy, bx = ax + dx, by = ay + dy;
	V af = fused(ax, v.mx, ay * v.my), as = fused(ay, v.mx, -(ax * v.my)) * v.c;
	V bf = fused(bx, v.mx, by * v.my), bs = fused(by, v.mx, -(bx * v.my)) * v.c;
	V left = lesser(fused(-af, v.s, as), fused(-bf, v.s, bs)), right = lesser(fused(-af, v.s, -as), fused(-bf, v.s, -bs));
	return upto(greater(-greater(af, bf), greater(right, left)), splat(LEEWAY));
}

INLINE unsigned disc_in(const Volley &v, double cx, double cy, double radius) {
	const V x = cx - v.ox, y = cy - v.oy;
	V f = fused(x, v.mx, y * v.my), s = absolute(fused(y, v.mx, -(x * v.my)));
	return upto(greater(-f, fused(-f, v.s, s * v.c)), splat(radius + LEEWAY));
}

// A Pair is a thing of a group and a ping, one bit of a word: the things one after the
// other, so that each ray meets them in their order.
enum { GROUP = 8 };
struct Pair {
	int thing, ping;
};

INLINE Pair lowest_pair(uint64_t in) {
	const int bit = __builtin_ctzll(in);
	return {bit / WIDTH, bit % WIDTH};
}

// walls_met lets all rays meet the walls that may be in their cones. Those that fill a
// group up are at its end.
INLINE void walls_met(Volley &v) {
	const int n = v.r[WALLS];
	const double *g = v.numbers + v.r[WALLS_AT], limit = v.numbers[v.r[CAR_AT] + CAR_LIMIT];
	const unsigned all = (1u << v.n) - 1;
	for (int at = 0; at < n; at += GROUP, g += GROUP) {
		uint64_t in = 0;
		for (int i = 0; i < GROUP && g[SEG_X * n + i] < INFINITE; i++)
			in |= (uint64_t)(wall_in(v, g[SEG_X * n + i], g[SEG_Y * n + i], g[SEG_DX * n + i], g[SEG_DY * n + i]) & all) << i * WIDTH;
		for (; in; in &= in - 1) {
			const Pair p = lowest_pair(in);
			const double *w = g + p.thing, length = square_root(w[SEG_LENGTH2 * n]);
			const Sound s = sound(w + SEG_ROUGH * n, n, limit, v.luck[p.ping]);
			for (Beam &b : v.rays[p.ping])
				wall_ray(b, {w[SEG_X * n] - v.x[p.ping], w[SEG_Y * n] - v.y[p.ping]}, w[SEG_DX * n], w[SEG_DY * n], length, s);
		}
	}
}

// discs_met is walls_met for discs.
INLINE void discs_met(Volley &v) {
	const int n = v.r[DISCS];
	const double *g = v.numbers + v.r[DISCS_AT], limit = v.numbers[v.r[CAR_AT] + CAR_LIMIT];
	const unsigned all = (1u << v.n) - 1;
	for (int at = 0; at < n; at += GROUP, g += GROUP) {
		uint64_t in = 0;
		for (int i = 0; i < GROUP && g[DISC_X * n + i] < INFINITE; i++)
			in |= (uint64_t)(disc_in(v, g[DISC_X * n + i], g[DISC_Y * n + i], g[DISC_R * n + i]) & all) << i * WIDTH;
		for (; in; in &= in - 1) {
			const Pair p = lowest_pair(in);
			const double *d = g + p.thing;
			const Sound s = sound(d + DISC_ROUGH * n, n, limit, v.luck[p.ping]);
			for (Beam &b : v.rays[p.ping])
				disc_ray(b, {d[DISC_X * n] - v.x[p.ping], d[DISC_Y * n] - v.y[p.ping]}, d[DISC_R * n], s);
		}
	}
}

// hear_all is what the pings hear.
INLINE void hear_all(Volley &v, double *heard) {
	spread(v), walls_met(v), discs_met(v);
	for (int k = 0; k < WIDTH; k++) {
		V best = splat(INFINITE);
		for (const Beam &b : v.rays[k]) best = lesser(b.heard, best);
		heard[k] = least(best);
	}
	V d = load(heard);
	store(heard, d <= REACH ? d : splat(INFINITE));
}

} // namespace
