// Floor sensors: look of ../sense.go for WIDTH cars at once.

namespace {

// inside is world.Inside of the table.
PLAIN bool inside(const double *t, int n, Point q) {
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
PLAIN double reflectance(const double *numbers, const int32_t *r, Point q) {
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

// lit is what the floor sensors of the cars that are due see.
RARE void lit(const Shape *shape, const Cars &c, unsigned due, V *light) {
	const double *numbers = shape->numbers, *f = c.f;
	double seen[FLOORS][WIDTH] = {};
	V fc, fs;
	unit(load(f + F_HEADING * BLOCK), &fc, &fs);
	for (unsigned left = due; left; left &= left - 1) {
		int i = lowest_of(left);
		const int32_t *r = record(shape, f, i);
		const double *car = numbers + r[CAR_AT];
		for (int k = 0; k < FLOORS; k++) {
			double ahead = car[CAR_FLOOR], side = car[CAR_PITCH] * (1 - k);
			seen[k][i] = plain(r) ? car[CAR_GROUND]
								  : reflectance(numbers, r, {f[F_POS_X * BLOCK + i] + (ahead * fc[i] - side * fs[i]),
															 f[F_POS_Y * BLOCK + i] + (ahead * fs[i] + side * fc[i])});
		}
	}
	for (int k = 0; k < FLOORS; k++) light[k] = load(seen[k]);
}

// whole is the reading of a light with all its noise.
RARE V whole(V light, V error, U key, V n) {
	I bits;
	V v = (light + error * normal(key, n)) + 0.5;
	v = v > 0 ? v : V{};
	return below(v < FULL_SCALE ? v : splat(FULL_SCALE), &bits);
}

// ground reads the floor sensors of the cars that are due. A reading is a whole number,
// so that the noise is needed exactly only where the light is near the middle between
// two: one sensor in some thousand.
RARE void ground(const Shape *shape, const Cars &c, I due, unsigned which) {
	double *f = c.f;
	V looks = load(f + F_LOOKS * BLOCK), error = load(PARAM(F_FLOOR_ERR)), room = 0.5 - (error * NORMAL_ERROR + 1e-6), light[FLOORS];
	U at = place(2 * looks + 1);
	if (c.site && plain(c.site))
		for (int k = 0; k < FLOORS; k++) light[k] = splat(shape->numbers[c.site[CAR_AT] + CAR_GROUND]);
	else
		lit(shape, c, which, light);
	for (int k = 0; k < FLOORS; k++) {
		double *counts = f + (F_COUNTS + k) * BLOCK;
		U key = load(c.keys + (K_FLOOR + k) * BLOCK);
		I sure;
		V mean = light[k] * load(f + (F_SPREAD + k) * BLOCK);
		V v = mean + error * nearly_normal(mix(key + at), mix(key + at + GOLDEN), &sure), near = (v + MAGIC) - MAGIC;
		sure = sure & (I)(absolute(v - near) < room);
		near = near > 0 ? near : V{};
		near = near < FULL_SCALE ? near : splat(FULL_SCALE);
		if (RARELY(any(due & ~sure))) near = sure ? near : whole(mean, error, key, 2 * looks + 1);
		store(counts, due ? near : load(counts));
	}
	store(f + F_LOOKS * BLOCK, due ? looks + 1 : looks);
}

} // namespace
