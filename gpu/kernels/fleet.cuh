// The cars of testbench/vector on a card: the very source of the processor's engines,
// a thread per car. Its equations and its bits are theirs.
//
// Launch: FLEET_THREADS threads a block, a thread per car, n steps of 1 ms; what changes in
// a step stays in registers until the last. Memory: a car's fields once each way, 65
// doubles apart by lanes of 16, and the geometry of its site.
#ifndef FIELDBRAIN_FLEET_CUH
#define FIELDBRAIN_FLEET_CUH

#include "lane.cuh"

namespace fleet {
#include "fleet.h"

#include "../../testbench/vector/native/divide.h"
#include "../../testbench/vector/native/step.h"
#include "../../testbench/vector/native/sonar.h"
#include "../../testbench/vector/native/chance.h"
#include "echo.cuh"

// act gives a car its action: Fleet.Act of testbench/vector.
INLINE void act(double *f, const double *a) {
	const double most[FLEET_ACTION] = {1, 1, 2500e-6}, least[FLEET_ACTION] = {-1, -1, 0};
	for (int i = 0; i < FLEET_ACTION; i++) {
		double v = a[i] == a[i] ? a[i] : 0;
		v = v < most[i] ? v : most[i];
		f[(F_ACT_LEFT + i) * BLOCK] = v > least[i] ? v : least[i];
	}
}

// say writes what a car's sensors say.
INLINE void say(double *to, const double *f) {
	for (int i = 0; i < SONARS; i++) to[i] = f[(F_RANGES + i) * BLOCK];
	for (int i = 0; i < FLOORS; i++) to[SONARS + i] = f[(F_COUNTS + i) * BLOCK];
}

// show writes what a car does.
INLINE void show(double *to, const double *f) {
	const int fields[FLEET_STATE] = {F_POS_X, F_POS_Y, F_HEADING, F_SPEED, F_STEERING, F_YAW, F_CONTACTS, F_ODOMETER};
	for (int i = 0; i < FLEET_STATE; i++) to[i] = f[fields[i] * BLOCK];
}

// run lets a warp's cars take n steps under their actions; the lanes that are not there
// only help the others' sonars.
PLAIN void run(const Shape *shape, const Cars &c, int car, bool there, int n) {
	double *f = c.f;
	State s;
	V slew, wheels = 0, want, grip = load(PARAM(F_GRIP)), ping = INFINITE, look = INFINITE;
	if (there) wheels = drive(c), ping = load(f + F_NEXT_PING * BLOCK), look = load(f + F_NEXT_LOOK * BLOCK);
	want = aim(c, &slew);
	get(f, s);
	s.steering = load(f + F_STEERING * BLOCK), s.tangent = load(f + F_TANGENT * BLOCK);
	for (int step = 0; step < n; step++) {
		if (there) {
			s.speed = s.speed + (wheels - s.speed) * grip;
			steer(s, want, slew);
			move(shape, c, s);
		}
		if (!shape->sensing) continue;
		ping = ping - 1, look = look - 1;
		const bool pinged = upto(ping, 0), looked = upto(look, 0);
		if (pinged || (looked && !plain(record(shape, f, 0)))) put(f, s);
		const unsigned due = __ballot_sync(ALL_LANES, pinged);
		if (due) ping_together(shape, c, car, due, pinged);
		if (pinged) ping = PING_STEPS;
		if (!looked) continue;
		ground(shape, c, -1, 1);
		look = LOOK_STEPS;
	}
	if (!there) return;
	put(f, s);
	store(f + F_STEERING * BLOCK, s.steering), store(f + F_TANGENT * BLOCK, s.tangent);
	if (shape->sensing) store(f + F_NEXT_PING * BLOCK, ping), store(f + F_NEXT_LOOK * BLOCK, look);
}

} // namespace fleet

extern "C" __global__ void __launch_bounds__(fleet::FLEET_THREADS, fleet::FLEET_BLOCKS) fieldbrain_fleet(const fleet::FleetJob *job, int n) {
	const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	const bool there = number < job->shape.cars;
	const int car = there ? number : job->shape.cars - 1; // whose fields others may read
	const fleet::Cars c = fleet::cars(&job->shape, job->fields, job->keys, car / fleet::BLOCK, car % fleet::BLOCK);
	if (there && job->actions) fleet::act(c.f, job->actions + (int64_t)car * fleet::FLEET_ACTION);
	fleet::run(&job->shape, c, car, there, n);
	if (there && job->readings) fleet::say(job->readings + (int64_t)car * fleet::FLEET_READING, c.f);
	if (there && job->states) fleet::show(job->states + (int64_t)car * fleet::FLEET_STATE, c.f);
}

#endif
