// When sensors are sampled, and the steps between.

#include "step.h"
#include "sonar.h"
#include "ping.h"

namespace {

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
			pings(shape, c, pinged, q);
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

} // namespace
