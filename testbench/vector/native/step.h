// The steps of the cars of one instruction set: ../step.go on lanes, with its bits.

#include "elementary.h"
#include "nearly.h"
#include "squeeze.h"
#include "cars.h"
#include "sonar.h"
#include "ping.h"
#include "ground.h"

namespace {

// drive returns the speed over ground of WIDTH cars' motors and notes load and voltage.
INLINE V wheel(const Cars &c, V duty, V volts) {
	V dead = load(PARAM(F_DEAD_BAND));
	V open = (absolute(duty) - dead) / (1 - dead);
	open = open > 0 ? open : V{};
	V v = (load(PARAM(F_TOP_SPEED)) * open) * (volts / load(PARAM(F_NOMINAL)));
	return (V)((I)v ^ ((I)(duty < 0) & INT64_MIN));
}

INLINE V drive(const Cars &c) {
	V left = load(c.f + F_ACT_LEFT * BLOCK), right = load(c.f + F_ACT_RIGHT * BLOCK);
	V amps = load(PARAM(F_IDLE)) + load(PARAM(F_MOTOR)) * (absolute(left) + absolute(right));
	V volts = load(PARAM(F_PACK)) - load(PARAM(F_OHMS)) * amps;
	store(c.f + F_AMPS * BLOCK, amps);
	store(c.f + F_VOLTS * BLOCK, volts);
	V both = load(PARAM(F_LEFT_GAIN)) * wheel(c, left, volts) + load(PARAM(F_RIGHT_GAIN)) * wheel(c, right, volts);
	return (both / 2) * load(PARAM(F_SLIP));
}

// aim returns the wheel angle that the pulses ask for and how far a step brings it.
INLINE V aim(const Cars &c, V *slew) {
	V pulse = load(c.f + F_ACT_PULSE * BLOCK);
	V want = -(load(PARAM(F_LINKAGE)) * ((pulse - 0x1.89374bc6a7efap-10) * 0x1.88b2f704a940ap+10 + load(PARAM(F_TRIM))));
	I none = pulse == 0;
	*slew = none ? V{} : load(PARAM(F_SLEW));
	return none ? load(c.f + F_STEERING * BLOCK) : want;
}

// wrap is exact.Wrap.
INLINE V wrap(V a) {
	I bits;
	if (__builtin_expect(upto(splat(3.14), absolute(a)) != 0, 0)) a = a - TWO_PI * below((a + PI) / TWO_PI, &bits);
	return a;
}

// State is what a step changes of WIDTH cars, in registers.
struct State {
	V x, y, heading, speed, steering, tangent, yaw, slack, odometer, age;
};

INLINE void put(double *f, const State &s) {
	store(f + F_POS_X * BLOCK, s.x), store(f + F_POS_Y * BLOCK, s.y), store(f + F_HEADING * BLOCK, s.heading);
	store(f + F_SPEED * BLOCK, s.speed), store(f + F_YAW * BLOCK, s.yaw), store(f + F_SLACK * BLOCK, s.slack);
	store(f + F_ODOMETER * BLOCK, s.odometer), store(f + F_AGE * BLOCK, s.age);
}

INLINE void get(const double *f, State &s) {
	s.x = load(f + F_POS_X * BLOCK), s.y = load(f + F_POS_Y * BLOCK), s.heading = load(f + F_HEADING * BLOCK);
	s.speed = load(f + F_SPEED * BLOCK), s.yaw = load(f + F_YAW * BLOCK), s.slack = load(f + F_SLACK * BLOCK);
	s.odometer = load(f + F_ODOMETER * BLOCK), s.age = load(f + F_AGE * BLOCK);
}

// roll moves the poses along the arc of one step, on which they turn by 2 half. The
// sine and cosine that are nearly right do where both ends of what they may be lead to
// the same place: in all but some 3 steps of 100 of eight cars.
INLINE void roll(State &s, I go, V way, V half) {
	V c, n;
	nearly_unit(s.heading + half, &c, &n);
	V x = fused(way, c - UNIT_ERROR, s.x), y = fused(way, n - UNIT_ERROR, s.y);
	unsigned unsure = differ(x, fused(way, c + UNIT_ERROR, s.x)) | differ(y, fused(way, n + UNIT_ERROR, s.y));
	if (__builtin_expect(unsure != 0, 0)) {
		unit(s.heading + half, &c, &n);
		x = s.x + way * c, y = s.y + way * n;
	}
	s.x = go ? x : s.x;
	s.y = go ? y : s.y;
	V next = wrap(s.heading + 2 * half);
	s.heading = go ? next : s.heading;
}

// move is one step of the bodies. Where one may touch something, squeeze moves it.
INLINE void move(const Shape *shape, const Cars &c, State &s) {
	const V dt = splat(DT);
	I moved = absolute(s.speed) > STANDING;
	V turn = moved ? ((s.speed * s.tangent) / load(PARAM(F_BASE))) * load(PARAM(F_SKID)) : V{};
	V way = s.speed * dt, turned = turn * dt;
	V left = s.slack - (load(PARAM(F_CREEP)) + (absolute(way) + absolute(turned) * load(PARAM(F_ARM))));
	I far = left > load(PARAM(F_ENOUGH));
	I go = far & moved;
	roll(s, go, way, turned / 2);
	s.odometer = go ? s.odometer + absolute(way) : s.odometer;
	s.yaw = far ? turn : s.yaw;
	s.slack = far ? left : s.slack;
	unsigned close = upto(left, load(PARAM(F_ENOUGH)));
	if (__builtin_expect(close != 0, 0)) {
		put(c.f, s);
		for (; close; close &= close - 1) {
			int i = __builtin_ctz(close);
			squeeze(shape, c.f + i, c.feet + i * 2 * shape->most, turn[i], moved[i] != 0);
		}
		get(c.f, s);
	}
	s.age = s.age + 1;
}

// steer turns the wheels by at most slew.
INLINE void steer(State &s, V want, V slew) {
	V low = s.steering - slew, high = s.steering + slew;
	V next = want < low ? low : want;
	next = next > high ? high : next;
	if (differ(next, s.steering)) {
		I turned = next != s.steering;
		s.tangent = turned ? tangent(next) : s.tangent;
		s.steering = turned ? next : s.steering;
	}
}

// A Clock says how many steps it is until a lane's sonars ping and floor is read.
struct Clock {
	V ping, look;
	int since, wait; // steps that ping and look do not know of yet, and of those the first that matters

	static int first(V ping, V look) { return (int)least(ping < look ? ping : look); }

	// senses lets the cars sample that are due after another step; left are those to come.
	void senses(const Shape *shape, const Cars &c, const State &s, int left, Queue &q) {
		ping = ping - since, look = look - since, since = 0;
		unsigned pinged = upto(ping, V{}), looked = upto(look, V{});
		if (pinged || !c.site || !plain(c.site)) put(c.f, s);
		if (pinged) {
			::ping(shape, c, pinged, q);
			ping = ping <= 0 ? splat(PING_STEPS) : ping;
		}
		if (looked) {
			ground(shape, c, look <= 0, looked);
			look = look <= 0 ? splat(LOOK_STEPS) : look;
		}
		if (left) wait = first(ping, look);
	}
};

// run lets WIDTH cars take n steps under their actions.
void run(const Shape *shape, const Cars &c, int n, Queue &q) {
	double *f = c.f;
	State s;
	V wheels = drive(c), slew, want = aim(c, &slew), grip = load(PARAM(F_GRIP));
	get(f, s);
	s.steering = load(f + F_STEERING * BLOCK), s.tangent = load(f + F_TANGENT * BLOCK);
	Clock clock = {load(f + F_NEXT_PING * BLOCK), load(f + F_NEXT_LOOK * BLOCK), 0, 0};
	clock.wait = shape->sensing ? Clock::first(clock.ping, clock.look) : n + 1;
	for (int step = 0; step < n; step++) {
		s.speed = s.speed + (wheels - s.speed) * grip;
		steer(s, want, slew);
		move(shape, c, s);
		if (++clock.since == clock.wait) clock.senses(shape, c, s, n - 1 - step, q);
	}
	put(f, s);
	store(f + F_STEERING * BLOCK, s.steering), store(f + F_TANGENT * BLOCK, s.tangent);
	if (!shape->sensing) return;
	store(f + F_NEXT_PING * BLOCK, clock.ping - clock.since), store(f + F_NEXT_LOOK * BLOCK, clock.look - clock.since);
}

// ahead asks for the lines that cars take their steps with, while others take theirs.
INLINE void ahead(const Shape *shape, const Cars &c) {
	for (int i = 0; i < F_TOP_SPEED; i++) __builtin_prefetch(c.f + i * BLOCK, 1);
	if (!shape->sensing) return;
	for (int i = F_COUNTS; i < F_FIELDS; i++) __builtin_prefetch(c.f + i * BLOCK, 1);
	for (int i = K_FLOOR; i < K_KEYS; i++) __builtin_prefetch(c.keys + i * BLOCK);
}

void blocks(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) {
	Queue q = {};
	for (int b = first; b < last; b++)
		for (int lane = 0; lane < BLOCK && b * BLOCK + lane < s->cars; lane += WIDTH) {
			if (lane % 8 == 0 && b + 1 < last) ahead(s, cars(s, fields, keys, b + 1, lane));
			run(s, cars(s, fields, keys, b, lane), n, q);
		}
	if (q.n) answer(s, q);
}

// peak keeps every unit for vectors busy, n times: with 8 fused and 6 plain additions
// that wait only for themselves of a turn before.
double peak(int n) {
	const V k = splat(0.5);
	V a = k, b = k, c = k, d = k, e = k, f = k, g = k, h = k, i = k, j = k, l = k, m = k, o = k, p = k;
	for (; n > 0; n--) {
		a = fused(a, k, k), b = fused(b, k, k), c = fused(c, k, k), d = fused(d, k, k);
		e = fused(e, k, k), f = fused(f, k, k), g = fused(g, k, k), h = fused(h, k, k);
		i = i + k, j = j + k, l = l + k, m = m + k, o = o + k, p = p + k;
		__asm__("" : "+" REGISTER(a), "+" REGISTER(b), "+" REGISTER(c), "+" REGISTER(d), "+" REGISTER(e), "+" REGISTER(f), "+" REGISTER(g));
		__asm__("" : "+" REGISTER(h), "+" REGISTER(i), "+" REGISTER(j), "+" REGISTER(l), "+" REGISTER(m), "+" REGISTER(o), "+" REGISTER(p));
	}
	return least(a + b + c + d + e + f + g + h + i + j + l + m + o + p);
}

} // namespace

#define DEFINE(ISA)                                                                                             \
	void vector_step_##ISA(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) { \
		blocks(s, fields, keys, first, last, n);                                                               \
	}                                                                                                          \
	double vector_peak_##ISA(int n) { return peak(n); }                                                        \
	void vector_errors_##ISA(int n, double *units, double *normals) { errors(n, units, normals); }
