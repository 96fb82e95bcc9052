// Sonars: ../hear.go and pingAll of ../sense.go. Where the things of a site are against
// a cone is looked at with things in lanes; what may be in it meets the rays in lanes.

namespace {

// A Beam is what WIDTH rays have met so far: how far that is, and how far it is heard.
struct Beam {
	V ux, uy, best, heard;
};

enum { BEAMS = 8 / WIDTH };

// A Sound is how a thing treats sound: the cosine of the steepest incidence that returns,
// whether it swallows this ping, and its range.
struct Sound {
	double limit, within;
	bool lost;
};

// meets notes what rays have met. The incidence is num / den.
INLINE void meets(Beam &b, I on, V distance, V num, double den, const Sound &s) {
	on = on & (I)(distance < b.best);
	V heard = distance <= s.within ? distance : splat(INFINITE);
	if (s.limit > 0 || den == 0) heard = num / den >= s.limit ? heard : splat(INFINITE);
	if (s.lost) heard = splat(INFINITE);
	b.best = on ? distance : b.best;
	b.heard = on ? heard : b.heard;
}

// wall_ray is world.Segment.Ray; w is the wall's start from the origin.
INLINE void wall_ray(Beam &b, Point w, double dx, double dy, double length, const Sound &s) {
	V den = b.ux * dy - b.uy * dx, across = w.x * b.uy - w.y * b.ux;
	I same = ~((I)across ^ (I)den) >> 63 | (I)(across == 0);
	I on = (I)(den != 0) & same & (I)(absolute(across) <= absolute(den));
	if (!any(on)) return;
	V along = (w.x * dy - w.y * dx) / den;
	meets(b, on & (I)(along >= 0), along, absolute(den), length, s);
}

// disc_ray is world.Disc.Ray; w is the centre from the origin.
INLINE void disc_ray(Beam &b, Point w, double radius, const Sound &s) {
	V along = w.x * b.ux + w.y * b.uy, across = w.x * b.uy - w.y * b.ux;
	V half = radius * radius - across * across;
	I on = half >= 0;
	if (!any(on)) return;
	V chord = root(half), near = along - chord;
	I behind = near < 0;
	bool inside = square_root(w.x * w.x + w.y * w.y) < radius;
	near = behind ? (inside ? V{} : splat(INFINITE)) : near;
	meets(b, on, near, behind ? splat(radius) : chord, radius, s);
}

// A Cone is where a sonar listens: from o along m, as wide as c and s say, its half
// angle's cosine and sine.
struct Cone {
	Point o, m;
	double c, s;
};

constexpr double LEEWAY = 1e-6; // m, far more than what rounding moves a thing

INLINE V lesser(V a, V b) { return a < b ? a : b; } // b where one is not a number
INLINE V greater(V a, V b) { return a > b ? a : b; }

// walls_in says which of WIDTH walls may be in a cone: not both ends left of it, right
// of it or behind. Those that fill a group up are nowhere: all but f is no number then.
INLINE unsigned walls_in(const Cone &k, const double *g, int n) {
	V ax = load(g + SEG_X * n) - k.o.x, ay = load(g + SEG_Y * n) - k.o.y, mx = splat(k.m.x), my = splat(k.m.y), edge = splat(k.s);
	V bx = ax + load(g + SEG_DX * n), by = ay + load(g + SEG_DY * n);
	V af = fused(ax, mx, ay * my), as = fused(ay, mx, -(ax * my)) * k.c, bf = fused(bx, mx, by * my), bs = fused(by, mx, -(bx * my)) * k.c;
	V left = lesser(fused(-af, edge, as), fused(-bf, edge, bs)), right = lesser(fused(-af, edge, -as), fused(-bf, edge, -bs));
	return upto(greater(-greater(af, bf), greater(right, left)), splat(LEEWAY));
}

// discs_in is walls_in for discs.
INLINE unsigned discs_in(const Cone &k, const double *g, int n) {
	V x = load(g + DISC_X * n) - k.o.x, y = load(g + DISC_Y * n) - k.o.y, mx = splat(k.m.x), my = splat(k.m.y);
	V f = fused(x, mx, y * my), s = absolute(fused(y, mx, -(x * my)));
	return upto(greater(-f, fused(-f, splat(k.s), s * k.c)), load(g + DISC_R * n) + LEEWAY);
}

INLINE Sound sound(const double *rough, int n, double limit, double luck) {
	return {rough[0] >= 0 ? rough[0] : limit, rough[2 * n], luck < rough[n]};
}

// meet_all lets the rays of a cone meet everything of a site.
INLINE void meet_all(Beam *b, const double *numbers, const int32_t *r, const double *feet, const Cone &k, double luck) {
	const double *g = numbers + r[WALLS_AT], limit = numbers[r[CAR_AT] + CAR_LIMIT];
	for (int at = 0, n = r[WALLS]; at < n; at += WIDTH)
		for (unsigned in = walls_in(k, g + at, n); in; in &= in - 1) {
			const double *w = g + at + lowest_of(in);
			double length = square_root(w[SEG_LENGTH2 * n]);
			for (int i = 0; i < BEAMS; i++)
				wall_ray(b[i], {w[SEG_X * n] - k.o.x, w[SEG_Y * n] - k.o.y}, w[SEG_DX * n], w[SEG_DY * n], length,
						 sound(w + SEG_ROUGH * n, n, limit, luck));
		}
	g = numbers + r[DISCS_AT];
	for (int at = 0, n = r[DISCS]; at < n; at += WIDTH)
		for (unsigned in = discs_in(k, g + at, n); in; in &= in - 1) {
			const double *d = g + at + lowest_of(in);
			for (int i = 0; i < BEAMS; i++)
				disc_ray(b[i], {d[DISC_X * n] - k.o.x, d[DISC_Y * n] - k.o.y}, d[DISC_R * n], sound(d + DISC_ROUGH * n, n, limit, luck));
		}
	g = numbers + r[MOVERS_AT];
	for (int m = 0; m < r[MOVERS]; m++, g += MOVER) {
		Point p = mover_at(numbers, g, feet[2 * m], feet[2 * m + 1]);
		for (int i = 0; i < BEAMS; i++)
			disc_ray(b[i], {p.x - k.o.x, p.y - k.o.y}, g[MOVER_RADIUS], sound(g + MOVER_ROUGH, 1, limit, luck));
	}
}

// hear is the noiseless range of a sonar at o that looks along middle.
PLAIN double hear(const double *numbers, const int32_t *r, const double *feet, Point o, Point middle, double luck) {
	const double *cone = numbers + r[CAR_AT] + CAR_CONE;
	const V none = splat(INFINITE);
	V best = none;
	Beam b[BEAMS];
	for (int i = 0; i < BEAMS; i++) {
		V c = load(cone + WIDTH * i), s = load(cone + 8 + WIDTH * i);
		b[i] = {middle.x * c - middle.y * s, middle.x * s + middle.y * c, none, none};
	}
	meet_all(b, numbers, r, feet, {o, middle, cone[0], -cone[8]}, luck);
	for (int i = 0; i < BEAMS; i++) best = lesser(b[i].heard, best);
	double d = least(best);
	return d <= REACH ? d : INFINITE;
}

} // namespace
