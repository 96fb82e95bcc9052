// Gaps and contacts of one car: ../gap.go and squeeze of ../step.go, the obstacles
// in lanes.

namespace {

constexpr double DT = 0x1.0624dd2f1a9fcp-10; // s
constexpr double STANDING = 1e-4, MARGIN = 0.02, PARTING = 0.01, NEAREST = 0.02, SPOT = 0.006, REACH = 10, FULL_SCALE = 4095;
enum { PING_STEPS = 40, LOOK_STEPS = 5, RAYS = 7 };

// Words of a site's record, and of the records that it points to: ../geometry.go.
enum { WALLS_AT, WALLS, DISCS_AT, DISCS, MOVERS_AT, MOVERS, LINES_AT, LINES, TABLE_AT, CORNERS, CAR_AT, SITE };
enum { CAR_RADIUS, CAR_SONAR, CAR_FLOOR, CAR_PITCH, CAR_LIMIT, CAR_GROUND, CAR_TAPE, CAR_VOID, CAR_AHEAD, CAR_CONE };
enum { SEG_X, SEG_Y, SEG_DX, SEG_DY, SEG_LENGTH2, SEG_ROUGH, SEG_LOST, SEG_WITHIN };
enum { DISC_X, DISC_Y, DISC_R, DISC_ROUGH, DISC_LOST, DISC_WITHIN };
enum { MOVER_RADIUS, MOVER_SPEED, MOVER_ROUGH, MOVER_LOST, MOVER_WITHIN, MOVER_PATH, MOVER_CORNERS, MOVER };
enum { LINE_AT, LINE_SEGMENTS, LINE_WIDTH, LINE };

struct Point {
	double x, y;
};

// least returns the least of the lanes.
INLINE double least(V v) {
	double m = v[0];
	for (int i = 1; i < WIDTH; i++) m = v[i] < m ? v[i] : m;
	return m;
}

// nearest2 is the squared distance to the nearest of n segments.
PLAIN double nearest2(const double *g, int n, Point q) {
	V best = splat(INFINITE);
	for (int i = 0; i < n; i += WIDTH) {
		V dx = load(g + SEG_DX * n + i), dy = load(g + SEG_DY * n + i), l = load(g + SEG_LENGTH2 * n + i);
		V wx = q.x - load(g + SEG_X * n + i), wy = q.y - load(g + SEG_Y * n + i);
		V t = (wx * dx + wy * dy) / l;
		t = t > 0 ? t : V{}; // what is not a number, too
		t = t < 1 ? t : splat(1);
		t = l > 0 ? t : V{};
		V x = wx - dx * t, y = wy - dy * t, d = x * x + y * y;
		best = d < best ? d : best;
	}
	return least(best);
}

// A Leg is where a mover is: ../gap.go's feet.
INLINE void ends(const double *numbers, const double *m, double leg, Point *a, Point *b) {
	int n = (int)m[MOVER_CORNERS], k = (int)leg, next = (k + 1) % n;
	const double *path = numbers + (int64_t)m[MOVER_PATH];
	*a = {path[2 * k], path[2 * k + 1]};
	*b = {path[2 * next], path[2 * next + 1]};
}

PLAIN Point mover_at(const double *numbers, const double *m, double leg, double done) {
	Point a, b;
	ends(numbers, m, leg, &a, &b);
	double dx = b.x - a.x, dy = b.y - a.y, l = square_root(dx * dx + dy * dy);
	if (l > 0) {
		double k = done / l;
		a = {a.x + k * dx, a.y + k * dy};
	}
	return a;
}

// further moves a mover's feet on by a step.
INLINE void further(const double *numbers, const double *m, double *leg, double *done) {
	*done = *done + m[MOVER_SPEED] * DT;
	for (int k = (int)m[MOVER_CORNERS]; k > 0; k--) {
		Point a, b;
		ends(numbers, m, *leg, &a, &b);
		double dx = b.x - a.x, dy = b.y - a.y, l = square_root(dx * dx + dy * dy);
		if (*done < l) return;
		*done -= l, *leg += 1;
		if (*leg == m[MOVER_CORNERS]) *leg = 0;
	}
	*done = 0;
}

PLAIN void walk(const double *numbers, const int32_t *r, double *feet, int steps) {
	const double *m = numbers + r[MOVERS_AT];
	for (int i = 0; i < r[MOVERS]; i++, m += MOVER)
		for (int k = 0; k < steps; k++) further(numbers, m, feet + 2 * i, feet + 2 * i + 1);
}

INLINE double norm(double x, double y) { return square_root(x * x + y * y); }

// meet lets the movers take one step beside a body, for which they wait.
PLAIN void meet(const double *numbers, const int32_t *r, double *feet, Point body, double radius) {
	const double *m = numbers + r[MOVERS_AT];
	for (int i = 0; i < r[MOVERS]; i++, m += MOVER) {
		double leg = feet[2 * i], done = feet[2 * i + 1];
		Point here = mover_at(numbers, m, leg, done);
		further(numbers, m, &leg, &done);
		Point next = mover_at(numbers, m, leg, done);
		double gap = (norm(body.x - next.x, body.y - next.y) - m[MOVER_RADIUS]) - radius;
		if (gap < MARGIN && gap < (norm(body.x - here.x, body.y - here.y) - m[MOVER_RADIUS]) - radius) continue;
		feet[2 * i] = leg, feet[2 * i + 1] = done;
	}
}

// distance is how far q is from the nearest surface.
PLAIN double distance(const double *numbers, const int32_t *r, const double *feet, Point q) {
	double d = square_root(nearest2(numbers + r[WALLS_AT], r[WALLS], q));
	const double *g = numbers + r[DISCS_AT];
	V best = splat(INFINITE);
	for (int i = 0, n = r[DISCS]; i < n; i += WIDTH) {
		V x = q.x - load(g + DISC_X * n + i), y = q.y - load(g + DISC_Y * n + i);
		V e = root(x * x + y * y) - load(g + DISC_R * n + i);
		best = e < best ? e : best;
	}
	double e = least(best);
	d = e < d ? e : d;
	const double *m = numbers + r[MOVERS_AT];
	for (int i = 0; i < r[MOVERS]; i++, m += MOVER) {
		Point p = mover_at(numbers, m, feet[2 * i], feet[2 * i + 1]);
		e = norm(q.x - p.x, q.y - p.y) - m[MOVER_RADIUS];
		d = e < d ? e : d;
	}
	return d;
}

// units fills in the unit vectors of n angles, padded to WIDTH.
INLINE void units(const double *angles, int n, double *c, double *s) {
	for (int i = 0; i < n; i += WIDTH) {
		V a, b;
		unit(load(angles + i), &a, &b);
		store(c + i, a), store(s + i, b);
	}
}

#define AT(FIELD) f[(FIELD)*BLOCK]

RARE void squeeze(const Shape *shape, double *f, double *feet, double turn, bool moved) {
	const double *numbers = shape->numbers;
	const int32_t *r = shape->index + (int)AT(F_SITE) * SITE;
	const double *car = numbers + r[CAR_AT];
	double heading = AT(F_HEADING), speed = AT(F_SPEED), half = turn * DT / 2;
	double next = heading + 2 * half;
	next = next - TURN * floor_of((next + HALF_TURN) / TURN);
	double angles[8] = {heading, heading + half, next}, c[8], s[8];
	units(angles, 3, c, s);
	walk(numbers, r, feet, (int)(AT(F_AGE) - AT(F_WALKED)));
	double x = AT(F_POS_X), y = AT(F_POS_Y), ahead = car[CAR_AHEAD];
	// The zeros keep the roundings of world.Vec.Turn.
	Point body = {x + (ahead * c[0] - 0 * s[0]), y + (ahead * s[0] + 0 * c[0])};
	meet(numbers, r, feet, body, car[CAR_RADIUS]);
	AT(F_WALKED) = AT(F_AGE) + 1;
	double gap = distance(numbers, r, feet, body) - car[CAR_RADIUS];
	if (moved) {
		double way = speed * DT, tx = x + way * c[1], ty = y + way * s[1];
		Point there = {tx + (ahead * c[2] - 0 * s[2]), ty + (ahead * s[2] + 0 * c[2])};
		double after = distance(numbers, r, feet, there) - car[CAR_RADIUS];
		if (after <= 0 && after < gap) {
			AT(F_SPEED) = 0, turn = 0;
			gap = gap < 0 ? gap : 0;
		} else {
			gap = after;
			AT(F_POS_X) = tx, AT(F_POS_Y) = ty, AT(F_HEADING) = next;
			AT(F_ODOMETER) += magnitude(way);
		}
	}
	AT(F_YAW) = turn;
	if (gap <= 0 && AT(F_CONTACT) == 0)
		AT(F_CONTACT) = 1, AT(F_CONTACTS) += 1;
	else if (gap > PARTING)
		AT(F_CONTACT) = 0;
	AT(F_SLACK) = AT(F_CONTACT) != 0 ? 0 : gap;
}

} // namespace
