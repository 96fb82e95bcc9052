// What a task makes of a car: judge of testbench/vector/env, with its bits.
#ifndef FIELDBRAIN_JUDGE_CUH
#define FIELDBRAIN_JUDGE_CUH

// A Step is where a car is after one.
struct Step {
	const LearnJob *job;
	const LearnPlace *place;
	const double *f;
	int car;
	Point at, face;

	MEMBER Point ahead(double way) const { return {at.x + way * face.x, at.y + way * face.y}; }
};

INLINE double lesser(double a, double b) { return b < a ? b : a; }
INLINE double greater(double a, double b) { return b > a ? b : a; }

// draw64, fraction and gauss are Uint64, Uniform and Normal of testbench/noise.
INLINE uint64_t draw64(LearnStream &s) { return mix(U(s.key + ++s.n * GOLDEN)).v; }
INLINE double fraction(LearnStream &s) { return (double)(draw64(s) >> 11) * 0x1p-53; }
PLAIN double gauss(LearnStream &s) {
	const double u = 1 - fraction(s), v = fraction(s);
	V c, n;
	unit(TURN * v, &c, &n);
	return square_root(-2 * logarithm(u)[0]) * c[0];
}

// stream is noise.New.
PLAIN LearnStream stream(uint64_t seed, const char *name) {
	U key = mix(U(seed + GOLDEN));
	for (; *name; name++) key = mix(U(key.v ^ (uint8_t)*name));
	return {key.v, 0};
}

// arc_tangent is exact.atan, and angle_of exact.Atan2.
PLAIN double arc_tangent(double t) {
	for (int i = 0; i < 3; i++) t /= 1 + square_root(1 + t * t);
	const double t2 = t * t;
	double p = 0;
	for (double n = 21; n >= 1; n -= 2) p = 1 / n - t2 * p;
	return 8 * t * p;
}

PLAIN double angle_of(double y, double x) {
	if (x == 0 && y == 0) return 0;
	if (magnitude(y) > magnitude(x)) return (y > 0 ? HALF_TURN / 2 : -HALF_TURN / 2) - arc_tangent(x / y);
	const double a = arc_tangent(y / x);
	if (x > 0) return a;
	return y >= 0 ? a + HALF_TURN : a - HALF_TURN;
}

INLINE double wrapped(double a) { return a - TURN * floor_of((a + HALF_TURN) / TURN); }

// to_go is oracle.Map.Left; known says whether it is.
PLAIN double to_go(const LearnJob *job, const LearnPlace *p, Point q, bool *known) {
	const float *left = job->left + p->grid;
	const double cell = job->rules.grid;
	const double fx = floor_of((q.x - p->low_x) / cell), fy = floor_of((q.y - p->low_y) / cell);
	const int x = (int)fx, y = (int)fy; // cars stay near their worlds
	float found = 0;
	*known = x >= 0 && x < p->grid_columns && y >= 0 && y < p->grid_rows;
	if (*known) found = left[y * p->grid_columns + x];
	if (!*known || found != found) {
		double least = job->rules.around;
		const int around = (int)(least / cell + 0.5);
		*known = false;
		for (int j = y > around ? y - around : 0; j <= y + around && j < p->grid_rows; j++)
			for (int i = x > around ? x - around : 0; i <= x + around && i < p->grid_columns; i++) {
				const float here = left[j * p->grid_columns + i];
				const double dx = p->low_x + cell * (i + 0.5) - q.x, dy = p->low_y + cell * (j + 0.5) - q.y, d = norm(dx, dy);
				if (here == here && d <= least) found = here, least = d, *known = true;
			}
	}
	*known = *known && found != (float)INFINITE;
	return found;
}

// beacon takes what the camera says about the beacon, and returns how far that is.
PLAIN double beacon(const Step &s, LearnCar &c, Point body, double heading) {
	const LearnPlace *p = s.place;
	const double dx = p->goal_x - body.x, dy = p->goal_y - body.y, distance = norm(dx, dy), noisy = gauss(c.beacon);
	const double bearing = wrapped(angle_of(dy, dx) - heading);
	c.bearing = c.nearness = 0;
	if (magnitude(bearing) > p->beacon_field) return distance;
	c.bearing = (float)wrapped(bearing + p->beacon_noise * noisy);
	c.nearness = (float)lesser(1, s.job->rules.ball / greater(distance, s.job->rules.ball));
	return distance;
}

// nearer is the task goal.
PLAIN double nearer(const Step &s, LearnCar &c, int *cause) {
	const Point body = s.ahead(s.place->body_ahead);
	bool known;
	double left = to_go(s.job, s.place, body, &known);
	if (!known) left = c.left;
	const double did = c.left - left;
	c.left = left;
	if (beacon(s, c, body, s.f[F_HEADING * BLOCK]) <= s.place->radius) *cause = LEARN_ARRIVED;
	return did;
}

// A Footing is the place of a route that is nearest to a point: footing of env.
struct Footing {
	double along, away2;
	int edge;
};

// edge_of returns the vector of an edge.
INLINE Point edge_of(const double *r, int n, int i) {
	const int k = i + 1 == n ? 0 : i + 1;
	return {r[3 * k] - r[3 * i], r[3 * k + 1] - r[3 * i + 1]};
}

PLAIN void foot(Footing &to, const double *r, int n, int i, Point q) {
	const Point d = edge_of(r, n, i), w = {q.x - r[3 * i], q.y - r[3 * i + 1]};
	const double l = d.x * d.x + d.y * d.y;
	double t = 0;
	if (l > 0) t = lesser(greater((w.x * d.x + w.y * d.y) / l, 0), 1);
	const double vx = w.x - t * d.x, vy = w.y - t * d.y, away2 = vx * vx + vy * vy;
	if (away2 < to.away2) to = {r[3 * i + 2] + t * norm(d.x, d.y), away2, i};
}

// footing is route.follow from an edge on, within reach; none looks at the whole route.
PLAIN Footing footing(const Step &s, int edge, Point q) {
	const double *r = s.job->route + s.place->route, reach = s.job->rules.reach;
	const int n = s.place->corners;
	Footing to = {0, INFINITE, 0};
	if (edge < 0) {
		for (int i = 0; i < n; i++) foot(to, r, n, i, q);
		return to;
	}
	foot(to, r, n, edge, q);
	for (int way = 1; way >= -1; way -= 2) { // onwards, and back
		double gone = 0;
		for (int i = (edge + n + way) % n; gone < reach && i != edge; i = (i + n + way) % n) {
			foot(to, r, n, i, q);
			const Point d = edge_of(r, n, i);
			gone += norm(d.x, d.y);
		}
	}
	return to;
}

// along is the task line.
PLAIN double along(const Step &s, LearnCar &c, int *cause) {
	const LearnRules &rules = s.job->rules;
	const Footing to = footing(s, c.edge, s.ahead(s.place->floor_ahead));
	double did = to.along - c.along;
	did = did > s.place->length / 2 ? did - s.place->length : did < -s.place->length / 2 ? did + s.place->length : did;
	c.edge = to.edge, c.along = to.along, c.away2 = to.away2;
	if (to.away2 <= rules.on_line2) {
		c.away = 0;
		return did;
	}
	c.away++;
	if ((double)c.away * s.job->hold >= rules.lost) *cause = LEARN_LOST;
	return lesser(did, 0);
}

// drawn is the task avoid.
PLAIN double drawn(const Step &s, LearnCar &c) {
	const double dx = s.at.x - c.tail_x, dy = s.at.y - c.tail_y, n = norm(dx, dy), rope = s.job->rules.rope;
	if (n <= rope) return 0;
	const double k = (n - rope) / n;
	c.tail_x = c.tail_x + k * dx, c.tail_y = c.tail_y + k * dy;
	return n - rope;
}

// enter is the task explore.
PLAIN double enter(const Step &s) {
	const double cell = s.job->rules.cell;
	const Point q = s.ahead(s.place->body_ahead);
	const double x = floor_of((q.x - s.place->low_x) / cell), y = floor_of((q.y - s.place->low_y) / cell);
	if (!(x >= 0 && x < s.place->columns && y >= 0 && y < s.place->rows)) return 0;
	const int k = (int)y * s.place->columns + (int)x;
	uint64_t *word = s.job->seen + (int64_t)s.car * s.job->words + k / 64, bit = (uint64_t)1 << (k % 64);
	if (*word & bit) return 0;
	*word |= bit;
	return cell * cell;
}

// falls says whether a wheel is past the edge of a table.
PLAIN bool falls(const Step &s) {
	const Shape *shape = &s.job->fleet.shape;
	const int32_t *r = record(shape, s.f, 0);
	for (int i = 0; i < 4 && r[CORNERS] > 0; i++) {
		const double x = i < 2 ? 0 : s.place->wheelbase, y = i % 2 ? s.place->half_track : -s.place->half_track;
		const Point q = {s.at.x + (x * s.face.x - y * s.face.y), s.at.y + (x * s.face.y + y * s.face.x)};
		if (!inside(shape->numbers + r[TABLE_AT], r[CORNERS], q)) return true;
	}
	return false;
}

// judge returns the reward of a step, and how the episode ends with it.
PLAIN double judge(const Step &s, LearnCar &c, int *cause) {
	double reward = 0;
	*cause = LEARN_RUNNING;
	switch (s.job->task) {
	case LEARN_AVOID: reward = drawn(s, c); break;
	case LEARN_GOAL: reward = nearer(s, c, cause); break;
	case LEARN_LINE: reward = along(s, c, cause); break;
	case LEARN_EXPLORE: reward = enter(s); break;
	}
	if (s.f[F_CONTACTS * BLOCK] > 0)
		*cause = LEARN_CONTACT;
	else if (falls(s))
		*cause = LEARN_FALL;
	if (*cause == LEARN_RUNNING) return reward;
	return *cause == LEARN_ARRIVED ? reward + s.job->rules.arrival : reward - s.job->rules.penalty;
}

#endif
