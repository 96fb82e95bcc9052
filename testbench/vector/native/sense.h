// Sonars and floor sensors: ../hear.go and ../sense.go, the rays of a cone in lanes,
// the noise of WIDTH cars at once.

namespace {

// A Beam is what WIDTH rays have met so far.
struct Beam {
	V ux, uy, best, num, den, what; // incidence is num / den; what counts walls, discs, movers
};

// wall_ray is world.Segment.Ray; w is the wall's start from the origin.
INLINE void wall_ray(Beam &b, Point w, double dx, double dy, double length2, int number) {
	V den = b.ux * dy - b.uy * dx, across = w.x * b.uy - w.y * b.ux;
	I same = ~((I)across ^ (I)den) >> 63 | (I)(across == 0);
	I on = (I)(den != 0) & same & (I)(absolute(across) <= absolute(den));
	if (!any(on)) return;
	V along = (w.x * dy - w.y * dx) / den;
	on = on & (I)(along >= 0) & (I)(along < b.best);
	b.best = on ? along : b.best;
	b.num = on ? absolute(den) : b.num;
	b.den = on ? splat(square_root(length2)) : b.den;
	b.what = on ? splat(number) : b.what;
}

// disc_ray is world.Disc.Ray; w is the centre from the origin.
INLINE void disc_ray(Beam &b, Point w, double radius, int number) {
	V along = w.x * b.ux + w.y * b.uy, across = w.x * b.uy - w.y * b.ux;
	V half = radius * radius - across * across;
	I on = half >= 0;
	if (!any(on)) return;
	V chord = root(half), near = along - chord;
	I behind = near < 0;
	bool inside = square_root(w.x * w.x + w.y * w.y) < radius;
	near = behind ? (inside ? V{} : splat(INFINITE)) : near;
	on = on & (I)(near < b.best);
	b.best = on ? near : b.best;
	b.num = on ? (behind ? splat(radius) : chord) : b.num;
	b.den = on ? splat(radius) : b.den;
	b.what = on ? splat(number) : b.what;
}

// rays lets WIDTH rays meet everything of a site.
INLINE void meet_all(Beam &b, const double *numbers, const int32_t *r, const double *feet, Point o) {
	const double *g = numbers + r[WALLS_AT];
	int n = r[WALLS], m = r[DISCS];
	for (int i = 0; i < n; i++)
		wall_ray(b, {g[SEG_X * n + i] - o.x, g[SEG_Y * n + i] - o.y}, g[SEG_DX * n + i], g[SEG_DY * n + i],
				 g[SEG_LENGTH2 * n + i], i);
	g = numbers + r[DISCS_AT];
	for (int i = 0; i < m; i++) disc_ray(b, {g[DISC_X * m + i] - o.x, g[DISC_Y * m + i] - o.y}, g[DISC_R * m + i], n + i);
	g = numbers + r[MOVERS_AT];
	for (int i = 0; i < r[MOVERS]; i++, g += MOVER) {
		Point p = mover_at(numbers, g, feet[2 * i], feet[2 * i + 1]);
		disc_ray(b, {p.x - o.x, p.y - o.y}, g[MOVER_RADIUS], n + m + i);
	}
}

// echoes says whether what a ray met sends the ping back: world.Hit.Echoes.
INLINE bool echoes(const double *numbers, const int32_t *r, int what, double distance, double incidence, double luck) {
	const double *g = numbers + r[WALLS_AT] + SEG_ROUGH * r[WALLS];
	int n = r[WALLS];
	if (what >= r[WALLS]) what -= r[WALLS], g = numbers + r[DISCS_AT] + DISC_ROUGH * r[DISCS], n = r[DISCS];
	if (what >= n && n == r[DISCS]) g = numbers + r[MOVERS_AT] + (what - n) * MOVER + MOVER_ROUGH, what = 0, n = 1;
	double limit = g[what] >= 0 ? g[what] : numbers[r[CAR_AT] + CAR_LIMIT];
	return incidence >= limit && luck >= g[n + what] && distance <= g[2 * n + what];
}

// hear is the noiseless range of a sonar that looks along (mx, my).
static double hear(const double *numbers, const int32_t *r, const double *feet, Point o, Point middle, double luck) {
	const double *cone = numbers + r[CAR_AT] + CAR_CONE;
	double ux[8], uy[8], best = INFINITE;
	for (int i = 0; i < 8; i++) {
		int k = i < RAYS ? i : 0;
		ux[i] = middle.x * cone[2 * k] - middle.y * cone[2 * k + 1];
		uy[i] = middle.x * cone[2 * k + 1] + middle.y * cone[2 * k];
	}
	for (int i = 0; i < 8; i += WIDTH) {
		Beam b = {load(ux + i), load(uy + i), splat(INFINITE), V{}, splat(1), V{}};
		meet_all(b, numbers, r, feet, o);
		V incidence = b.num / b.den;
		for (int k = 0; k < WIDTH; k++)
			if (b.best[k] <= REACH && b.best[k] < best && echoes(numbers, r, (int)b.what[k], b.best[k], incidence[k], luck))
				best = b.best[k];
	}
	return best;
}

// sonars is sense's ping of ../sense.go for the cars that are due.
static __attribute__((noinline)) void sonars(const Shape *shape, double *f, const uint64_t *keys, double *feet, I due) {
	const double *numbers = shape->numbers;
	V pings = load(f + F_PINGS * BLOCK), towards = load(f + F_HEADING * BLOCK), fc, fs;
	unit(towards, &fc, &fs);
	for (int i = 0; i < WIDTH; i++) {
		if (!due[i]) continue;
		walk(numbers, shape->index + (int)f[F_SITE * BLOCK + i] * SITE, feet + i * 2 * shape->most,
			 (int)(f[F_AGE * BLOCK + i] - f[F_WALKED * BLOCK + i]));
		f[F_WALKED * BLOCK + i] = f[F_AGE * BLOCK + i];
	}
	for (int s = 0; s < shape->sonars; s++) {
		U key = load(keys + (K_SONAR + s) * BLOCK);
		V n = 5 * pings, mc, ms, d = V{}, luck = uniform(load(keys + (K_SOFT + s) * BLOCK), pings + 1);
		I drop = uniform(key, n + 1) < load(f + F_DROP_OUT * BLOCK);
		V noisy = normal(key, n + 2), longer = 1.3 + 0x1.6666666666666p-01 * uniform(key, n + 5);
		I detour = uniform(key, n + 4) < load(f + F_DETOURS * BLOCK);
		unit(towards + shape->bearings[s], &mc, &ms);
		for (int i = 0; i < WIDTH; i++) {
			if (!due[i]) continue;
			const int32_t *r = shape->index + (int)f[F_SITE * BLOCK + i] * SITE;
			double sonar = numbers[r[CAR_AT] + CAR_SONAR];
			Point o = {f[F_POS_X * BLOCK + i] + (sonar * fc[i] - 0 * fs[i]), f[F_POS_Y * BLOCK + i] + (sonar * fs[i] + 0 * fc[i])};
			d[i] = hear(numbers, r, feet + i * 2 * shape->most, o, {mc[i], ms[i]}, luck[i]);
		}
		double *heard = f + (F_HEARD + s) * BLOCK, *range = f + (F_RANGES + s) * BLOCK;
		store(heard, due ? d : load(heard));
		d = detour ? d * longer : d;
		I gone = drop | (I)(d > load(f + F_MAX_RANGE * BLOCK));
		V noise = d * (1 + load(f + F_RANGE_ERR * BLOCK) * noisy);
		noise = noise > NEAREST ? noise : splat(NEAREST);
		noise = gone ? splat(-1) : noise;
		store(range, due ? noise : load(range));
	}
	store(f + F_PINGS * BLOCK, due ? pings + 1 : pings);
}

// inside is world.Inside of the table.
static bool inside(const double *t, int n, Point q) {
	bool in = false;
	for (int i = 0; i < n; i++) {
		int k = (i + 1) % n;
		double ax = t[2 * i], ay = t[2 * i + 1], bx = t[2 * k], by = t[2 * k + 1];
		if ((ay > q.y) == (by > q.y)) continue;
		if (q.x < ax + (bx - ax) * ((q.y - ay) / (by - ay))) in = !in;
	}
	return in;
}

// reflectance is world.Floor.Reflectance.
static double reflectance(const double *numbers, const int32_t *r, Point q) {
	const double *car = numbers + r[CAR_AT], *l = numbers + r[LINES_AT];
	if (r[CORNERS] > 0 && !inside(numbers + r[TABLE_AT], r[CORNERS], q)) return car[CAR_VOID];
	double covered = 0;
	for (int i = 0; i < r[LINES]; i++, l += LINE) {
		double d = square_root(nearest2(numbers + (int64_t)l[LINE_AT], (int)l[LINE_SEGMENTS], q));
		double share = (l[LINE_WIDTH] / 2 - d) / SPOT + 0.5;
		share = share > 0 ? share : 0;
		share = share < 1 ? share : 1;
		covered = share > covered ? share : covered;
	}
	return car[CAR_GROUND] + (car[CAR_TAPE] - car[CAR_GROUND]) * covered;
}

// ground is look of ../sense.go for the cars that are due.
static __attribute__((noinline)) void ground(const Shape *shape, double *f, const uint64_t *keys, I due) {
	const double *numbers = shape->numbers;
	V looks = load(f + F_LOOKS * BLOCK), n = 2 * looks + 1, fc, fs;
	double light[FLOORS][WIDTH] = {};
	unit(load(f + F_HEADING * BLOCK), &fc, &fs);
	for (int i = 0; i < WIDTH; i++) {
		if (!due[i]) continue;
		const int32_t *r = shape->index + (int)f[F_SITE * BLOCK + i] * SITE;
		const double *car = numbers + r[CAR_AT];
		for (int k = 0; k < FLOORS; k++) {
			double ahead = car[CAR_FLOOR], left = car[CAR_PITCH] * (1 - k);
			light[k][i] = reflectance(numbers, r, {f[F_POS_X * BLOCK + i] + (ahead * fc[i] - left * fs[i]),
												   f[F_POS_Y * BLOCK + i] + (ahead * fs[i] + left * fc[i])});
		}
	}
	for (int k = 0; k < FLOORS; k++) {
		double *counts = f + (F_COUNTS + k) * BLOCK;
		V noise = load(f + F_FLOOR_ERR * BLOCK) * normal(load(keys + (K_FLOOR + k) * BLOCK), n);
		V v = (load(light[k]) * load(f + (F_SPREAD + k) * BLOCK) + noise) + 0.5;
		I bits;
		v = v > 0 ? v : V{};
		v = below(v < FULL_SCALE ? v : splat(FULL_SCALE), &bits);
		store(counts, due ? v : load(counts));
	}
	store(f + F_LOOKS * BLOCK, due ? looks + 1 : looks);
}

} // namespace
