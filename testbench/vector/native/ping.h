// Pings: they wait until as many cars ping as a vector has lanes, which need not be
// neighbours: nothing but what a ping measures depends on it.

namespace {

// A Ping is a car that has pinged, and what the ping needs of that moment.
struct Ping {
	double *f;
	const uint64_t *keys;
	const double *param, *feet;
	const int32_t *site;
	double x, y, heading, number;
};

struct Queue {
	int n;
	Ping pings[WIDTH];
};

// A Chance is what the noise of WIDTH pings of one sonar is made of.
struct Chance {
	V noisy, longer, luck;
	I drop, detour;
};

INLINE Chance chance(const Queue &q, int sonar, V number, V drop_out, V detours) {
	uint64_t hard[WIDTH], soft[WIDTH];
	for (int i = 0; i < WIDTH; i++) {
		const uint64_t *keys = q.pings[i < q.n ? i : 0].keys;
		hard[i] = keys[(K_SONAR + sonar) * BLOCK], soft[i] = keys[(K_SOFT + sonar) * BLOCK];
	}
	U key = load(hard);
	V n = 5 * number;
	return {normal(key, n + 2), 1.3 + 0x1.6666666666666p-01 * uniform(key, n + 5), uniform(load(soft), number + 1),
			uniform(key, n + 1) < drop_out, uniform(key, n + 4) < detours};
}

// answer lets the pings that wait measure: ping of ../sense.go.
static __attribute__((noinline)) void answer(const Shape *shape, Queue &q) {
	enum { X, Y, HEADING, NUMBER, DROP_OUT, RANGE_ERR, MAX_RANGE, DETOURS, WORDS };
	double v[WORDS][WIDTH];
	for (int i = 0; i < WIDTH; i++) {
		const Ping &c = q.pings[i < q.n ? i : 0];
		v[X][i] = c.x, v[Y][i] = c.y, v[HEADING][i] = c.heading, v[NUMBER][i] = c.number;
		v[DROP_OUT][i] = *PARAM(F_DROP_OUT), v[RANGE_ERR][i] = *PARAM(F_RANGE_ERR);
		v[MAX_RANGE][i] = *PARAM(F_MAX_RANGE), v[DETOURS][i] = *PARAM(F_DETOURS);
	}
	V fc, fs, number = load(v[NUMBER]);
	unit(load(v[HEADING]), &fc, &fs);
	for (int s = 0; s < shape->sonars; s++) {
		Chance noise = chance(q, s, number, load(v[DROP_OUT]), load(v[DETOURS]));
		double heard[WIDTH] = {}, range[WIDTH];
		V mc = fc, ms = fs;
		if (shape->bearings[s] != 0) unit(load(v[HEADING]) + shape->bearings[s], &mc, &ms);
		for (int i = 0; i < q.n; i++) {
			const Ping &p = q.pings[i];
			double ahead = shape->numbers[p.site[CAR_AT] + CAR_SONAR]; // the zeros keep the roundings of world.Vec.Turn
			Point o = {p.x + (ahead * fc[i] - 0 * fs[i]), p.y + (ahead * fs[i] + 0 * fc[i])};
			heard[i] = hear(shape->numbers, p.site, p.feet, o, {mc[i], ms[i]}, noise.luck[i]);
		}
		V d = load(heard);
		d = noise.detour ? d * noise.longer : d;
		I gone = noise.drop | (I)(d > load(v[MAX_RANGE]));
		d = d * (1 + load(v[RANGE_ERR]) * noise.noisy);
		d = d > NEAREST ? d : splat(NEAREST);
		store(range, gone ? splat(-1) : d);
		for (int i = 0; i < q.n; i++)
			q.pings[i].f[(F_HEARD + s) * BLOCK] = heard[i], q.pings[i].f[(F_RANGES + s) * BLOCK] = range[i];
	}
	q.n = 0;
}

// ping lets the cars that are due ping. Beside movers they do not wait: those walk on.
static __attribute__((noinline)) void ping(const Shape *shape, const Cars &c, I due, Queue &q) {
	bool moving = false;
	for (unsigned left = bits(due); left; left &= left - 1) {
		int i = __builtin_ctz(left);
		double *f = c.f + i, *feet = c.feet + i * 2 * shape->most;
		const int32_t *r = c.site ? c.site : record(shape, c.f, i);
		if (r[MOVERS]) {
			walk(shape->numbers, r, feet, (int)(AT(F_AGE) - AT(F_WALKED)));
			AT(F_WALKED) = AT(F_AGE), moving = true;
		}
		q.pings[q.n++] = {f, c.keys + i, c.param + i, feet, r, AT(F_POS_X), AT(F_POS_Y), AT(F_HEADING), AT(F_PINGS)};
		AT(F_PINGS) += 1;
		if (q.n == WIDTH) answer(shape, q);
	}
	if (moving && q.n) answer(shape, q);
}

} // namespace
