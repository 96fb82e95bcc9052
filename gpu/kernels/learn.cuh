// Episodes of the cars on a card: what testbench/vector/env does around the steps of its
// fleet, a thread a car. fieldbrain_act comes before fieldbrain_fleet, fieldbrain_book
// after it, or alone to begin cars anew.
#ifndef FIELDBRAIN_LEARN_CUH
#define FIELDBRAIN_LEARN_CUH

#include "fleet.cuh"

namespace fleet {
#include "learn.h"

#include "judge.cuh"

// fields_of returns the fields of a car.
INLINE double *fields_of(const LearnJob *job, int car) {
	return job->fleet.fields + (int64_t)(car / BLOCK) * F_FIELDS * BLOCK + car % BLOCK;
}

// bounded returns x no farther from 0 than most, and 0 for what is no number.
INLINE float bounded(float x, float most) { return x != x ? 0 : x > most ? most : x < -most ? -most : x; }

// duty is a motor's for a wheel's speed.
INLINE double duty(const LearnPlace *p, double v) {
	const double d = p->dead_band + (1 - p->dead_band) * magnitude(v) / p->top_speed;
	return v < 0 ? -d : d;
}

// order hands a car its action: act and pins of env.
INLINE void order(const LearnJob *job, int car) {
	LearnCar &c = job->cars[car];
	const LearnPlace *p = job->place + c.place;
	c.speed = bounded(job->actions[(int64_t)car * LEARN_ACTION], job->rules.speed);
	c.steering = bounded(job->actions[(int64_t)car * LEARN_ACTION + 1], job->rules.steering);
	const double speed = c.speed, skew = p->skew * tangent((double)c.steering)[0];
	double pins[FLEET_ACTION] = {0, 0, job->rules.middle - c.steering * job->rules.per_radian};
	if (!(magnitude(speed) < job->rules.slowest)) {
		double left = speed - speed * skew, right = speed + speed * skew;
		const double top = greater(magnitude(left), magnitude(right));
		if (top > p->top_speed) left = left * (p->top_speed / top), right = right * (p->top_speed / top);
		pins[0] = duty(p, left), pins[1] = duty(p, right);
	}
	act(fields_of(job, car), pins);
}

// stand makes a car stand at the start of a site, with new noise: reset of testbench/vector.
PLAIN void stand(const LearnJob *job, int car, int at, uint64_t seed) {
	double *f = fields_of(job, car);
	const double *from = job->fresh + (int64_t)(at / BLOCK) * F_FIELDS * BLOCK + at % BLOCK;
	const int most = 2 * job->fleet.shape.most;
	uint64_t *keys = job->keys + (int64_t)(car / BLOCK) * K_KEYS * BLOCK + car % BLOCK;
	for (int i = 0; i < F_FIELDS; i++) f[i * BLOCK] = from[i * BLOCK];
	for (int i = 0; i < most; i++) job->fleet.shape.feet[(int64_t)car * most + i] = job->feet[(int64_t)at * most + i];
	for (int i = 0; i < K_KEYS; i++)
		if (job->names[i][0]) keys[i * BLOCK] = stream(seed, job->names[i]).key;
	LearnStream unit = stream(seed, job->names[NAME_UNIT]);
	for (int i = 0; i < FLOORS; i++) f[(F_SPREAD + i) * BLOCK] = 1 + job->spreads[at] * gauss(unit);
}

// begin lets a car's next episode begin, or puts it back where there are no episodes.
PLAIN void begin(const LearnJob *job, int car, int what) {
	if (job->task == LEARN_NOTHING) {
		stand(job, car, (int)fields_of(job, car)[F_SITE * BLOCK], job->seeds[car]);
		return;
	}
	LearnCar &c = job->cars[car];
	if (what & LEARN_SEEDED) c.episodes = stream(job->seeds[car], job->names[NAME_EPISODES]);
	const int at = (int)(draw64(c.episodes) % (uint64_t)job->places);
	const uint64_t seed = draw64(c.episodes);
	stand(job, car, at, seed);
	c.place = at, c.steps = 0, c.over = 0, c.total = 0, c.speed = c.steering = 0;
	c.beacon = stream(seed, job->names[NAME_BEACON]);
}

// whereabouts returns where a car is.
INLINE Step whereabouts(const LearnJob *job, int car) {
	const double *f = fields_of(job, car);
	V c, s;
	unit(f[F_HEADING * BLOCK], &c, &s);
	return {job, job->place + job->cars[car].place, f, car, {f[F_POS_X * BLOCK], f[F_POS_Y * BLOCK]}, {c[0], s[0]}};
}

// prepare takes what the task wants to know of a start.
PLAIN void prepare(const Step &s, LearnCar &c) {
	const Point body = s.ahead(s.place->body_ahead);
	bool known;
	Footing to;
	switch (s.job->task) {
	case LEARN_AVOID: c.tail_x = s.at.x, c.tail_y = s.at.y; break;
	case LEARN_GOAL:
		c.left = to_go(s.job, s.place, body, &known);
		if (!known) c.left = 0;
		beacon(s, c, body, s.f[F_HEADING * BLOCK]);
		break;
	case LEARN_LINE:
		to = footing(s, -1, s.ahead(s.place->floor_ahead));
		c.edge = to.edge, c.along = to.along, c.away2 = to.away2, c.away = 0;
		break;
	case LEARN_EXPLORE:
		for (int i = 0; i < s.job->words; i++) s.job->seen[(int64_t)s.car * s.job->words + i] = 0;
		enter(s); // the cell that it stands in earns nothing
		break;
	}
}

// observe writes what a car observes.
PLAIN void observe(const Step &s, const LearnCar &c) {
	const LearnJob *job = s.job;
	float *out = job->observations + (int64_t)s.car * job->observed;
	for (int i = 0; i < job->fleet.shape.sonars; i++) *out++ = (float)lesser(s.f[(F_RANGES + i) * BLOCK], job->rules.farthest);
	for (int i = 0; i < FLOORS; i++) *out++ = (float)s.f[(F_COUNTS + i) * BLOCK];
	*out++ = c.speed, *out++ = c.steering;
	if (job->task == LEARN_GOAL) *out++ = c.bearing, *out++ = c.nearness;
}

// note writes what came of a step besides the observation.
INLINE void note(const LearnJob *job, int car, double reward, int cause) {
	const LearnCar &c = job->cars[car];
	job->rewards[car] = (float)reward, job->returns[car] = (float)c.total, job->lengths[car] = c.steps;
	job->causes[car] = (uint8_t)cause, job->truncated[car] = cause == LEARN_TIME;
	job->terminated[car] = cause != LEARN_RUNNING && cause != LEARN_TIME;
}

// book writes what a step came to: book of env.
PLAIN void book(const LearnJob *job, int car, bool fresh) {
	LearnCar &c = job->cars[car];
	const Step s = whereabouts(job, car);
	double reward = 0;
	int cause = LEARN_RUNNING;
	if (fresh) {
		prepare(s, c);
	} else {
		c.steps++;
		reward = judge(s, c, &cause);
		if (cause == LEARN_RUNNING && c.steps >= job->limit) cause = LEARN_TIME;
		c.total += reward;
		c.over = cause != LEARN_RUNNING;
	}
	observe(s, c);
	note(job, car, reward, cause);
	show(job->states + (int64_t)car * FLEET_STATE, s.f);
}

} // namespace fleet

extern "C" __global__ void __launch_bounds__(fleet::FLEET_THREADS) fieldbrain_act(const fleet::LearnJob *job) {
	const int car = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	if (car < job->fleet.shape.cars) fleet::order(job, car);
}

extern "C" __global__ void __launch_bounds__(fleet::FLEET_THREADS) fieldbrain_book(const fleet::LearnJob *job, int what) {
	const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	const fleet::Shape *shape = &job->fleet.shape;
	const bool there = number < shape->cars;
	const int car = there ? number : shape->cars - 1; // whose fields others may read
	bool fresh = there && (!(what & fleet::LEARN_MASKED) || job->mask[car]);
	if (what == fleet::LEARN_BOOK) fresh = there && job->cars[car].over;
	if (fresh) fleet::begin(job, car, what);
	if (job->task == fleet::LEARN_NOTHING) return;
	__syncwarp();
	const fleet::Cars c = fleet::cars(shape, job->fleet.fields, job->keys, car / fleet::BLOCK, car % fleet::BLOCK);
	const unsigned due = __ballot_sync(fleet::ALL_LANES, fresh); // what sensors say comes at once, where a step waits for it
	if (due) fleet::ping_together(shape, c, car, due, fresh);
	if (fresh) fleet::ground(shape, c, -1, 1);
	if (fresh || (there && what == fleet::LEARN_BOOK)) fleet::book(job, car, fresh);
}

#endif
