// The steps of the cars of one instruction set: ../step.go on lanes, with its bits.

#include "elementary.h"
#include "nearly.h"
#include "squeeze.h"
#include "cars.h"
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
	if (RARELY(upto(splat(3.14), absolute(a)) != 0)) a = a - TURN * below((a + HALF_TURN) / TURN, &bits);
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
	if (RARELY(unsure != 0)) {
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
	if (RARELY(close != 0)) {
		put(c.f, s);
		for (; close; close &= close - 1) {
			int i = lowest_of(close);
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

} // namespace
