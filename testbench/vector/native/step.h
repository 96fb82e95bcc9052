// The steps of the cars of one instruction set: ../step.go on lanes, with its bits.

#include "elementary.h"
#include "squeeze.h"
#include "sense.h"

namespace {

// drive returns the speed over ground of WIDTH cars' motors and notes load and voltage.
INLINE V wheel(const double *f, V duty, V volts) {
	V dead = load(f + F_DEAD_BAND * BLOCK);
	V open = (absolute(duty) - dead) / (1 - dead);
	open = open > 0 ? open : V{};
	V v = (load(f + F_TOP_SPEED * BLOCK) * open) * (volts / load(f + F_NOMINAL * BLOCK));
	return (V)((I)v ^ ((I)(duty < 0) & INT64_MIN));
}

INLINE V drive(double *f) {
	V left = load(f + F_ACT_LEFT * BLOCK), right = load(f + F_ACT_RIGHT * BLOCK);
	V amps = load(f + F_IDLE * BLOCK) + load(f + F_MOTOR * BLOCK) * (absolute(left) + absolute(right));
	V volts = load(f + F_PACK * BLOCK) - load(f + F_OHMS * BLOCK) * amps;
	store(f + F_AMPS * BLOCK, amps);
	store(f + F_VOLTS * BLOCK, volts);
	V both = load(f + F_LEFT_GAIN * BLOCK) * wheel(f, left, volts) + load(f + F_RIGHT_GAIN * BLOCK) * wheel(f, right, volts);
	return (both / 2) * load(f + F_SLIP * BLOCK);
}

// aim returns the wheel angle that the pulses ask for and how far a step brings it.
INLINE V aim(const double *f, V *slew) {
	V pulse = load(f + F_ACT_PULSE * BLOCK);
	V want = -(load(f + F_LINKAGE * BLOCK) * ((pulse - 0x1.89374bc6a7efap-10) * 0x1.88b2f704a940ap+10 + load(f + F_TRIM * BLOCK)));
	I none = pulse == 0;
	*slew = none ? V{} : load(f + F_SLEW * BLOCK);
	return none ? load(f + F_STEERING * BLOCK) : want;
}

// wrap is exact.Wrap.
INLINE V wrap(V a) {
	I far = absolute(a) > 3.14, bits;
	if (__builtin_expect(any(far), 0)) a = a - TWO_PI * below((a + PI) / TWO_PI, &bits);
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

// move is one step of the bodies. Where one may touch something, squeeze moves it.
INLINE void move(const Shape *shape, double *f, double *feet, State &s) {
	const V dt = splat(DT);
	I moved = absolute(s.speed) > STANDING;
	V turn = moved ? ((s.speed * s.tangent) / load(f + F_BASE * BLOCK)) * load(f + F_SKID * BLOCK) : V{};
	V way = s.speed * dt, turned = turn * dt;
	V left = s.slack - (load(f + F_CREEP * BLOCK) + (absolute(way) + absolute(turned) * load(f + F_ARM * BLOCK)));
	I far = left > load(f + F_ENOUGH * BLOCK);
	V half = turned / 2, c, n;
	unit(s.heading + half, &c, &n);
	I go = far & moved;
	s.x = go ? s.x + way * c : s.x;
	s.y = go ? s.y + way * n : s.y;
	s.odometer = go ? s.odometer + absolute(way) : s.odometer;
	V next = wrap(s.heading + 2 * half);
	s.heading = go ? next : s.heading;
	s.yaw = far ? turn : s.yaw;
	s.slack = far ? left : s.slack;
	if (__builtin_expect(any(~far), 0)) {
		put(f, s);
		for (int i = 0; i < WIDTH; i++)
			if (!far[i]) squeeze(shape, f + i, feet + i * 2 * shape->most, turn[i], moved[i] != 0);
		get(f, s);
	}
	s.age = s.age + 1;
}

// run lets WIDTH cars take n steps under their actions.
void run(const Shape *shape, double *f, const uint64_t *keys, double *feet, int n) {
	State s;
	V wheels = drive(f), slew, want = aim(f, &slew), grip = load(f + F_GRIP * BLOCK);
	get(f, s);
	s.steering = load(f + F_STEERING * BLOCK), s.tangent = load(f + F_TANGENT * BLOCK);
	V ping = load(f + F_NEXT_PING * BLOCK), look = load(f + F_NEXT_LOOK * BLOCK);
	for (int step = 0; step < n; step++) {
		s.speed = s.speed + (wheels - s.speed) * grip;
		V low = s.steering - slew, high = s.steering + slew;
		V next = want < low ? low : want;
		next = next > high ? high : next;
		I turned = next != s.steering;
		if (any(turned)) {
			s.tangent = turned ? tangent(next) : s.tangent;
			s.steering = turned ? next : s.steering;
		}
		move(shape, f, feet, s);
		if (!shape->sensing) continue;
		ping = ping - 1, look = look - 1;
		I pinged = ping == 0, looked = look == 0;
		if (!any(pinged | looked)) continue;
		put(f, s);
		if (any(pinged)) sonars(shape, f, keys, feet, pinged);
		if (any(looked)) ground(shape, f, keys, looked);
		ping = pinged ? splat(PING_STEPS) : ping;
		look = looked ? splat(LOOK_STEPS) : look;
	}
	put(f, s);
	store(f + F_STEERING * BLOCK, s.steering), store(f + F_TANGENT * BLOCK, s.tangent);
	store(f + F_NEXT_PING * BLOCK, ping), store(f + F_NEXT_LOOK * BLOCK, look);
}

void blocks(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) {
	for (int b = first; b < last; b++)
		for (int lane = 0; lane < BLOCK && b * BLOCK + lane < s->cars; lane += WIDTH)
			run(s, fields + (int64_t)b * F_FIELDS * BLOCK + lane, keys + (int64_t)b * K_KEYS * BLOCK + lane,
				s->feet + ((int64_t)b * BLOCK + lane) * 2 * s->most, n);
}

} // namespace

#define DEFINE(ISA)                                                                                             \
	void vector_step_##ISA(const Shape *s, double *fields, const uint64_t *keys, int first, int last, int n) { \
		blocks(s, fields, keys, first, last, n);                                                               \
	}
