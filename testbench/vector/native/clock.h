// When sensors are sampled, and the steps between.

#include "step.h"
#include "sonar.h"
#include "ping.h"
#include "looks.h"

namespace {

// Waiting is what waits longer than the call of a vector of cars.
struct Waiting {
	Queue pings;
	Looks looks;
};

// A Clock says how often the lanes' cars sample a sensor in a call, after which step for
// the last time, INFINITE for never, and how many steps it is then until the next. What is
// sampled before the last nobody sees.
struct Clock {
	V times, last, next;
};

INLINE Clock clock_of(const double *next, int steps, int every) {
	I bits;
	const V due = load(next), more = below((steps + 0.5 - due) * (1.0 / every), &bits); // beyond the first, -1 for never
	const V times = more + 1;
	return {times, times > 0 ? due + every * more : splat(INFINITE), due + (every * times - steps)};
}

// A Sensing is the sensors of a vector of cars in a call.
struct Sensing {
	Clock ping, look;
};

// apart says whether looks need no pose, and wait.
INLINE bool apart(const Cars &c) { return c.site && plain(c.site); }

INLINE Sensing sensing_of(const Cars &c, int steps) {
	return {clock_of(c.f + F_NEXT_PING * BLOCK, steps, PING_STEPS), clock_of(c.f + F_NEXT_LOOK * BLOCK, steps, LOOK_STEPS)};
}

// sample lets the cars sample that are due after a step: their state is in memory, too.
INLINE void sample(const Shape *shape, const Cars &c, const State &s, const Sensing &e, int step, Queue &q) {
	const I due = e.ping.last == splat(step);
	const unsigned pinged = bits(due);
	if (pinged) pings(shape, c, s, due, pinged, e.ping.times, q);
	if (apart(c)) return;
	const I seen = e.look.last == splat(step);
	const unsigned looked = bits(seen);
	if (!looked) return;
	double *looks = c.f + F_LOOKS * BLOCK;
	store(looks, seen ? load(looks) + (e.look.times - 1) : load(looks));
	ground(shape, c, seen, looked);
}

// between is the first step beyond one, but not a call's last, after which a car samples; 0
// is none, as mostly.
INLINE int between(const Cars &c, const Sensing &e, int step, int steps) {
	const V none = splat(steps), ping = e.ping.last > step ? e.ping.last : none, look = e.look.last > step ? e.look.last : none;
	const int next = (int)least(apart(c) ? lesser(ping, none) : lesser(look, lesser(ping, none)));
	return next < steps ? next : 0;
}

// early is between from the beginning on.
RARE int early(const Cars &c, int steps, Sensing &e) {
	e = sensing_of(c, steps);
	return between(c, e, 0, steps);
}

// amid lets cars sample before the last step. It returns after which it is to do so next.
RARE int amid(const Shape *shape, const Cars &c, const State &s, const Sensing &e, int step, int steps, Queue &q) {
	put(c.f, s);
	sample(shape, c, s, e, step, q);
	return between(c, e, step, steps);
}

// senses lets the cars sample that are due after a call's last step.
INLINE void senses(const Shape *shape, const Cars &c, const State &s, int steps, Waiting &w) {
	const Sensing e = sensing_of(c, steps);
	store(c.f + F_NEXT_PING * BLOCK, e.ping.next), store(c.f + F_NEXT_LOOK * BLOCK, e.look.next);
	sample(shape, c, s, e, steps, w.pings);
	if (apart(c)) look_later(shape, c, e.look.times, w.looks);
}

// run lets WIDTH cars take n steps under their actions.
void run(const Shape *shape, const Cars &c, int n, Waiting &w) {
	double *f = c.f;
	State s;
	V wheels = drive(c), slew, want = aim(c, &slew), grip = load(PARAM(F_GRIP));
	get(f, s);
	s.steering = load(f + F_STEERING * BLOCK), s.tangent = load(f + F_TANGENT * BLOCK);
	Sensing e;
	int stop = 0;
	if (shape->sensing) {
		const V last = splat(n - 1);
		unsigned due = upto(load(f + F_NEXT_PING * BLOCK), last) | (apart(c) ? 0 : upto(load(f + F_NEXT_LOOK * BLOCK), last));
		if (due) stop = early(c, n, e);
	}
	for (int step = 1; step <= n; step++) {
		s.speed = s.speed + (wheels - s.speed) * grip;
		steer(s, want, slew);
		move(shape, c, s);
		if (step == stop) stop = amid(shape, c, s, e, step, n, w.pings);
	}
	put(f, s);
	store(f + F_STEERING * BLOCK, s.steering), store(f + F_TANGENT * BLOCK, s.tangent);
	if (shape->sensing) senses(shape, c, s, n, w);
}

} // namespace
