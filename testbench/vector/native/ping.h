// Pings: they wait until as many cars ping as a vector has lanes, which need not be
// neighbours: nothing but what a ping measures depends on it.

#include "chance.h"
#include "volley.h"

namespace {

// What pings need of the moment: where their car's first field is, its pose, the ping's
// number, and the streams of its sonars and of what is soft.
enum { Q_PLACE, Q_X, Q_Y, Q_HEADING, Q_NUMBER, Q_HARD, Q_SOFT = Q_HARD + SONARS, Q_WORDS = Q_SOFT + SONARS };

// A Queue is the pings that wait. There is room for those of one more vector than it takes
// to answer.
struct Queue {
	double *fields; // of the fleet, as keys
	const uint64_t *keys;
	int n;
	const int32_t *site; // that of the cars that wait, as param their parameters; null where they differ
	const double *param;
	double words[Q_WORDS][2 * WIDTH];
};

// Askers say how the cars measure whose pings are answered.
struct Askers {
	V drop_out, range_err, max_range, detours, ahead;
	Cars cars[WIDTH]; // where they differ
	const int32_t *site[WIDTH];
};

// same is what cars measure by at one site.
INLINE void same(const Shape *shape, const Queue &q, Askers &a) {
	Cars c = {};
	c.param = q.param;
	a.drop_out = load(PARAM(F_DROP_OUT)), a.range_err = load(PARAM(F_RANGE_ERR));
	a.max_range = load(PARAM(F_MAX_RANGE)), a.detours = load(PARAM(F_DETOURS));
	a.ahead = splat(shape->numbers[q.site[CAR_AT] + CAR_SONAR]);
}

// each is what cars measure by anywhere.
RARE void each(const Shape *shape, const Queue &q, Askers &a) {
	double drop_out[WIDTH], range_err[WIDTH], max_range[WIDTH], detours[WIDTH], ahead[WIDTH];
	for (int i = 0; i < WIDTH; i++) {
		const int at = (int)q.words[Q_PLACE][i];
		Cars c = cars(shape, q.fields, q.keys, at / (F_FIELDS * BLOCK), at % BLOCK);
		a.cars[i] = c, a.site[i] = c.site ? c.site : record(shape, c.f, 0);
		drop_out[i] = *PARAM(F_DROP_OUT), range_err[i] = *PARAM(F_RANGE_ERR);
		max_range[i] = *PARAM(F_MAX_RANGE), detours[i] = *PARAM(F_DETOURS);
		ahead[i] = shape->numbers[a.site[i][CAR_AT] + CAR_SONAR];
	}
	a.drop_out = load(drop_out), a.range_err = load(range_err), a.max_range = load(max_range);
	a.detours = load(detours), a.ahead = load(ahead);
}

// answer lets the first n pings that wait measure: ping of ../sense.go.
RARE void answer(const Shape *shape, Queue &q, int n) {
	const bool alike = WIDTH > 2 && n > WIDTH / 3 /* else a volley costs more */ && q.site && q.param && !q.site[MOVERS];
	Askers a;
	for (int i = n; i < WIDTH; i++) // lanes that nobody asks for
		for (double (&w)[2 * WIDTH] : q.words) w[i] = w[0];
	if (alike)
		same(shape, q, a);
	else
		each(shape, q, a);
	const V heading = load(q.words[Q_HEADING]);
	V fc, fs;
	unit(heading, &fc, &fs);
	// The zeros keep the roundings of world.Vec.Turn.
	const V ox = load(q.words[Q_X]) + (a.ahead * fc - 0 * fs), oy = load(q.words[Q_Y]) + (a.ahead * fs + 0 * fc);
	for (int s = 0; s < shape->sonars; s++) {
		const Chance noise = chance((U)load(q.words[Q_HARD + s]), (U)load(q.words[Q_SOFT + s]), load(q.words[Q_NUMBER]), a.drop_out, a.detours);
		V mc = fc, ms = fs;
		if (shape->bearings[s] != 0) unit(heading + shape->bearings[s], &mc, &ms);
		double heard[WIDTH] = {}, range[WIDTH];
		if (alike) {
			Volley v;
			v.numbers = shape->numbers, v.r = q.site, v.n = n;
			v.ox = ox, v.oy = oy, v.mx = mc, v.my = ms, store(v.luck, noise.luck);
			hear_all(v, heard);
		} else
			for (int i = 0; i < n; i++)
				heard[i] = hear(shape->numbers, a.site[i], a.cars[i].feet, {ox[i], oy[i]}, {mc[i], ms[i]}, noise.luck[i]);
		store(range, said(noise, load(heard), a.max_range, a.range_err));
		for (int i = 0; i < n; i++) {
			double *f = q.fields + (int64_t)q.words[Q_PLACE][i];
			AT(F_HEARD + s) = heard[i], AT(F_RANGES + s) = range[i];
		}
	}
	q.n -= n;
	if (!q.n) return;
	for (double (&w)[2 * WIDTH] : q.words) store(w, load(w + WIDTH));
}

// follow lets the movers of the cars that are due take the steps that they owe. It says
// whether there are any.
RARE bool follow(const Shape *shape, const Cars &c, unsigned due) {
	bool moving = false;
	for (; due; due &= due - 1) {
		int i = lowest_of(due);
		double *f = c.f + i;
		const int32_t *r = record(shape, c.f, i);
		if (!r[MOVERS]) continue;
		walk(shape->numbers, r, c.feet + i * 2 * shape->most, (int)(AT(F_AGE) - AT(F_WALKED)));
		AT(F_WALKED) = AT(F_AGE), moving = true;
	}
	return moving;
}

// pings lets the cars that are due ping, for the last of so many times in this call. Beside
// movers they do not wait: those walk on.
INLINE void pings(const Shape *shape, const Cars &c, const State &s, I due, unsigned which, V times, Queue &q) {
	const bool moving = (!c.site || c.site[MOVERS]) && follow(shape, c, which);
	const double *param = c.param == c.f + F_TOP_SPEED * BLOCK ? nullptr : c.param;
	if (!q.n) q.site = c.site, q.param = param;
	if (q.site != c.site) q.site = nullptr;
	if (q.param != param) q.param = nullptr;
	const V before = load(c.f + F_PINGS * BLOCK);
	double place[WIDTH];
	for (int i = 0; i < WIDTH; i++) place[i] = (double)(c.f - q.fields + i);
	const int n = q.n;
	pack(q.words[Q_PLACE] + n, load(place), which), pack(q.words[Q_NUMBER] + n, before + (times - 1), which);
	pack(q.words[Q_X] + n, s.x, which), pack(q.words[Q_Y] + n, s.y, which), pack(q.words[Q_HEADING] + n, s.heading, which);
	for (int i = 0; i < shape->sonars; i++) {
		pack(q.words[Q_HARD + i] + n, (V)load(c.keys + (K_SONAR + i) * BLOCK), which);
		pack(q.words[Q_SOFT + i] + n, (V)load(c.keys + (K_SOFT + i) * BLOCK), which);
		ask_to_write(c.f + (F_RANGES + i) * BLOCK), ask_to_write(c.f + (F_HEARD + i) * BLOCK); // until the queue is full
	}
	q.n += __builtin_popcount(which);
	store(c.f + F_PINGS * BLOCK, due ? before + times : before);
	if (q.n >= WIDTH) answer(shape, q, WIDTH);
	if (moving && q.n) answer(shape, q, q.n);
}

} // namespace
