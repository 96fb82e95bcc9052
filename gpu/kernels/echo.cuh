// Sonars of the cars of a warp. They ping at different steps, so that a thread that let
// its own rays meet everything would keep 31 others waiting. All 32 do it together, car
// by car: lane l has ray l % 8 and every fourth thing from l / 8 on. Of things at one
// distance a ray meets the first, as on the processor.
#ifndef FIELDBRAIN_ECHO_CUH
#define FIELDBRAIN_ECHO_CUH

enum : unsigned { ALL_LANES = 0xffffffffu };
enum { RAY_LANES = 8, GROUPS = 4, NO_THING = 0x7fffffff };

// A Ray is what a lane's ray has met first so far; which is that thing's number.
struct Ray {
	Beam beam;
	int which;

	MEMBER void note(V before, int thing) {
		if (differ(before, beam.best)) which = thing;
	}
};

// meet_every lets a lane's ray meet every GROUPS-th thing of a site from group on.
INLINE void meet_every(Ray &ray, const double *numbers, const int32_t *r, const double *feet, Point o, double luck, int group) {
	const double *g = numbers + r[WALLS_AT], limit = numbers[r[CAR_AT] + CAR_LIMIT];
	int n = r[WALLS], first = 0;
	for (int i = group; i < n; i += GROUPS) {
		const double *w = g + i;
		const V before = ray.beam.best;
		wall_ray(ray.beam, {w[SEG_X * n] - o.x, w[SEG_Y * n] - o.y}, w[SEG_DX * n], w[SEG_DY * n], square_root(w[SEG_LENGTH2 * n]),
				 sound(w + SEG_ROUGH * n, n, limit, luck));
		ray.note(before, i);
	}
	g = numbers + r[DISCS_AT], first += n, n = r[DISCS];
	for (int i = group; i < n; i += GROUPS) {
		const double *d = g + i;
		const V before = ray.beam.best;
		disc_ray(ray.beam, {d[DISC_X * n] - o.x, d[DISC_Y * n] - o.y}, d[DISC_R * n], sound(d + DISC_ROUGH * n, n, limit, luck));
		ray.note(before, first + i);
	}
	g = numbers + r[MOVERS_AT], first += n, n = r[MOVERS];
	for (int i = group; i < n; i += GROUPS) {
		const double *m = g + i * MOVER;
		const Point p = mover_at(numbers, m, feet[2 * i], feet[2 * i + 1]);
		const V before = ray.beam.best;
		disc_ray(ray.beam, {p.x - o.x, p.y - o.y}, m[MOVER_RADIUS], sound(m + MOVER_ROUGH, 1, limit, luck));
		ray.note(before, first + i);
	}
}

// hear_together is hear of sonar.h by a warp, whose lanes all ask for the same.
INLINE double hear_together(const double *numbers, const int32_t *r, const double *feet, Point o, Point middle, double luck) {
	const int lane = threadIdx.x % 32, at = r[CAR_AT] + CAR_CONE + lane % RAY_LANES;
	const double c = numbers[at], s = numbers[at + RAY_LANES];
	Ray ray = {{middle.x * c - middle.y * s, middle.x * s + middle.y * c, INFINITE, INFINITE}, NO_THING};
	meet_every(ray, numbers, r, feet, o, luck, lane / RAY_LANES);
	double best = ray.beam.best[0], heard = ray.beam.heard[0];
	for (int d = RAY_LANES; d < 32; d *= 2) { // the groups of a ray
		const double other = __shfl_xor_sync(ALL_LANES, best, d), its = __shfl_xor_sync(ALL_LANES, heard, d);
		const int which = __shfl_xor_sync(ALL_LANES, ray.which, d);
		if (other < best || (other == best && which < ray.which)) best = other, heard = its, ray.which = which;
	}
	for (int d = 1; d < RAY_LANES; d *= 2) { // the rays of a sonar
		const double other = __shfl_xor_sync(ALL_LANES, heard, d);
		heard = other < heard ? other : heard;
	}
	return heard <= REACH ? heard : INFINITE;
}

// follow lets the movers of a car's site take the steps that they owe.
INLINE void follow(const double *numbers, const int32_t *r, double *f, double *feet) {
	walk(numbers, r, feet, (int)(AT(F_AGE) - AT(F_WALKED)));
	AT(F_WALKED) = AT(F_AGE);
}

// ping_together lets the cars of the lanes that are due ping; mine says whether this
// lane's is. All lanes come here.
RARE void ping_together(const Shape *shape, const Cars &c, int car, unsigned due, bool mine) {
	double *f = c.f;
	const int32_t *r = record(shape, f, 0);
	if (mine) follow(shape->numbers, r, f, c.feet);
	__syncwarp(); // what the movers did is there for all
	V fc, fs;
	unit(AT(F_HEADING), &fc, &fs);
	const double ahead = shape->numbers[r[CAR_AT] + CAR_SONAR]; // the zeros keep the roundings of world.Vec.Turn
	const Point o = {AT(F_POS_X) + (ahead * fc[0] - 0 * fs[0]), AT(F_POS_Y) + (ahead * fs[0] + 0 * fc[0])};
	for (int s = 0; s < shape->sonars; s++) {
		Chance noise = {};
		if (mine)
			noise = chance(load(c.keys + (K_SONAR + s) * BLOCK), load(c.keys + (K_SOFT + s) * BLOCK), AT(F_PINGS), load(PARAM(F_DROP_OUT)), load(PARAM(F_DETOURS)));
		V mc = fc, ms = fs;
		if (shape->bearings[s] != 0) unit(AT(F_HEADING) + shape->bearings[s], &mc, &ms);
		double heard = 0;
		for (unsigned left = due; left; left &= left - 1) {
			const int from = __ffs((int)left) - 1, whose = __shfl_sync(ALL_LANES, car, from);
			const Point at = {__shfl_sync(ALL_LANES, o.x, from), __shfl_sync(ALL_LANES, o.y, from)};
			const Point middle = {__shfl_sync(ALL_LANES, mc[0], from), __shfl_sync(ALL_LANES, ms[0], from)};
			const double luck = __shfl_sync(ALL_LANES, noise.luck[0], from);
			const int32_t *site = shape->index + __shfl_sync(ALL_LANES, (int)AT(F_SITE), from) * SITE;
			const double d = hear_together(shape->numbers, site, shape->feet + (int64_t)whose * 2 * shape->most, at, middle, luck);
			if ((int)(threadIdx.x % 32) == from) heard = d;
		}
		if (!mine) continue;
		AT(F_HEARD + s) = heard;
		AT(F_RANGES + s) = said(noise, heard, load(PARAM(F_MAX_RANGE)), load(PARAM(F_RANGE_ERR)))[0];
	}
	if (mine) AT(F_PINGS) += 1;
}

#endif
