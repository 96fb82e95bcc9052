// Pings: they wait until as many cars ping as a vector has lanes, which need not be
// neighbours: nothing but what a ping measures depends on it.

#include "chance.h"

namespace {

// A Queue is cars that have pinged, and what their pings need of that moment.
struct Queue {
	int n;
	double *f[WIDTH];
	const uint64_t *keys[WIDTH];
	const double *feet[WIDTH];
	const int32_t *site[WIDTH];
	double x[WIDTH], y[WIDTH], heading[WIDTH], number[WIDTH];
	double drop_out[WIDTH], range_err[WIDTH], max_range[WIDTH], detours[WIDTH];
};

// answer lets the pings that wait measure: ping of ../sense.go.
RARE void answer(const Shape *shape, Queue &q) {
	V fc, fs;
	unit(load(q.heading), &fc, &fs);
	for (int s = 0; s < shape->sonars; s++) {
		uint64_t hard[WIDTH] = {}, soft[WIDTH] = {};
		for (int i = 0; i < q.n; i++)
			hard[i] = q.keys[i][(K_SONAR + s) * BLOCK], soft[i] = q.keys[i][(K_SOFT + s) * BLOCK];
		Chance noise = chance(load(hard), load(soft), load(q.number), load(q.drop_out), load(q.detours));
		V mc = fc, ms = fs;
		if (shape->bearings[s] != 0) unit(load(q.heading) + shape->bearings[s], &mc, &ms);
		double heard[WIDTH] = {}, range[WIDTH];
		for (int i = 0; i < q.n; i++) {
			double ahead = shape->numbers[q.site[i][CAR_AT] + CAR_SONAR]; // the zeros keep the roundings of world.Vec.Turn
			Point o = {q.x[i] + (ahead * fc[i] - 0 * fs[i]), q.y[i] + (ahead * fs[i] + 0 * fc[i])};
			heard[i] = hear(shape->numbers, q.site[i], q.feet[i], o, {mc[i], ms[i]}, noise.luck[i]);
		}
		store(range, said(noise, load(heard), load(q.max_range), load(q.range_err)));
		for (int i = 0; i < q.n; i++)
			q.f[i][(F_HEARD + s) * BLOCK] = heard[i], q.f[i][(F_RANGES + s) * BLOCK] = range[i];
	}
	q.n = 0;
}

// pings lets the cars that are due ping. Beside movers they do not wait: those walk on.
RARE void pings(const Shape *shape, const Cars &c, unsigned due, Queue &q) {
	bool moving = false;
	for (unsigned left = due; left; left &= left - 1) {
		int i = lowest_of(left);
		double *f = c.f + i, *feet = c.feet + i * 2 * shape->most;
		const int32_t *r = c.site ? c.site : record(shape, c.f, i);
		if (r[MOVERS]) {
			walk(shape->numbers, r, feet, (int)(AT(F_AGE) - AT(F_WALKED)));
			AT(F_WALKED) = AT(F_AGE), moving = true;
		}
		int k = q.n++;
		q.f[k] = f, q.keys[k] = c.keys + i, q.feet[k] = feet, q.site[k] = r;
		q.x[k] = AT(F_POS_X), q.y[k] = AT(F_POS_Y), q.heading[k] = AT(F_HEADING), q.number[k] = AT(F_PINGS);
		q.drop_out[k] = PARAM(F_DROP_OUT)[i], q.range_err[k] = PARAM(F_RANGE_ERR)[i];
		q.max_range[k] = PARAM(F_MAX_RANGE)[i], q.detours[k] = PARAM(F_DETOURS)[i];
		AT(F_PINGS) += 1;
		for (int s = 0; s < shape->sonars; s++) { // until the queue is full
			ask_to_write(&AT(F_RANGES + s)), ask_to_write(&AT(F_HEARD + s));
			ask(c.keys + i + (K_SONAR + s) * BLOCK), ask(c.keys + i + (K_SOFT + s) * BLOCK);
		}
		if (q.n == WIDTH) answer(shape, q);
	}
	if (moving && q.n) answer(shape, q);
}

} // namespace
