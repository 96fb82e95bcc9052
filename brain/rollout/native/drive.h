// The imagined drives of one instruction set: ../drive.go on lanes, with its bits. The
// including file defines WIDTH, and after lanes.h root and gather.

namespace {

// turned rotates a unit vector by a small angle.
INLINE void turned(V &c, V &s, V a) {
	V q = a * a;
	V sin = a * (1 - (q * SIXTH) * (1 - q * TWENTIETH));
	V cos = 1 - (q * 0.5f) * (1 - (q * TWELFTH) * (1 - q * THIRTIETH));
	V x = c * cos - s * sin;
	s = s * cos + c * sin, c = x;
}

INLINE V tangent(V a) {
	V q = a * a;
	V p = q * TAN11 + TAN9;
	p = q * p + TAN7;
	p = q * p + TAN5;
	p = q * p + TAN3;
	return a + (a * q) * p;
}

INLINE U mix(U z) {
	z = (z ^ z >> 16) * 0x7feb352du;
	z = (z ^ z >> 15) * 0x846ca68bu;
	return z ^ z >> 16;
}

// bell is the sum of a word's bytes, less its mean.
INLINE V bell(U w) {
	U two = (w & 0x00ff00ffu) + (w >> 8 & 0x00ff00ffu);
	return __builtin_convertvector((I)((two & 0xffffu) + (two >> 16)) - 510, V);
}

// A Noise is that of WIDTH trajectories from one step to the next.
struct Noise {
	U key;
	V steer, speed, by_steer, by_speed;
};

INLINE Noise begin(const Job &j, int trajectory) {
	Noise n;
	I number;
	for (int i = 0; i < WIDTH; i++) number[i] = trajectory + i;
	n.key = mix((U)number * 0x9e3779b1u + j.seed);
	I none = number == 0; // the first one drives as planned
	n.by_steer = none ? V{} : splat(j.pulse_steer), n.by_speed = none ? V{} : splat(j.pulse_speed);
	U w = mix(n.key);
	n.steer = bell(w) * (none ? V{} : splat(j.first_steer));
	n.speed = bell(mix(w ^ 0xc2b2ae3du)) * (none ? V{} : splat(j.first_speed));
	return n;
}

// next returns the commands of step t.
INLINE void next(const Job &j, Noise &n, const float *u, int t, V &steer, V &speed) {
	U w = mix(n.key + (uint32_t)(t + 1) * 0x85ebca77u);
	n.steer = n.steer * j.keep + bell(w) * n.by_steer;
	n.speed = n.speed * j.keep + bell(mix(w ^ 0xc2b2ae3du)) * n.by_speed;
	steer = within(n.steer + u[2 * t], -j.lock, j.lock);
	speed = within(n.speed + u[2 * t + 1], j.back, j.fast);
}

// A Car is what a trajectory carries along.
struct Car {
	V x, y, c, s, half, v, d, turned, drove, farthest, cost;
	I hit;
	U cell;
};

// place looks a place up in the map.
INLINE U place(const Job &j, const uint32_t *map, V x, V y) {
	V i = within(x * j.per_cell, 0, CELLS - 1), k = within(y * j.per_cell, 0, CELLS - 1);
	I at = __builtin_convertvector(i, I) * (int)CELLS + __builtin_convertvector(k, I);
	return gather(map, at);
}

INLINE void step(const Job &j, const uint32_t *map, const float *u, Car &a, V steer, V speed) {
	V cost = a.cost + absolute(steer - a.turned) * j.turn;
	cost = cost + (speed * a.drove < 0 ? splat(j.reverse) : V{});
	cost = cost + (steer - u[0]) * (u[0] * j.lean_steer);
	cost = cost + (speed - u[1]) * (u[1] * j.lean_speed);
	a.turned = steer, a.drove = speed;

	V v = a.v + (speed - a.v) * j.gripped;
	a.v = a.hit ? V{} : v;
	a.d = a.d + within(steer - a.d, -j.slew, j.slew);
	V h = (a.v * j.curve) * tangent(a.d);
	turned(a.c, a.s, a.half + h);
	a.half = h;
	V way = a.v * j.dt, length = absolute(way);
	a.x = a.x + way * a.c, a.y = a.y + way * a.s;
	cost = cost + length * j.length;
	cost = cost + (way < 0 ? length * j.backing : V{});

	V x = a.x + a.c * j.ahead, y = a.y + a.s * j.ahead;
	a.cell = place(j, map, x, y);
	V risk = __builtin_convertvector((I)(a.cell & 0xff), V) * BYTE;
	cost = cost + risk * j.risk;
	I hit = risk >= j.lethal;
	cost = cost + ((hit & ~a.hit) ? splat(j.crash) : V{});
	a.hit = a.hit | hit;
	V dx = x - j.x, dy = y - j.y, off = dx * dx + dy * dy;
	V fresh = __builtin_convertvector((I)(a.cell >> 8 & 0xff), V) * BYTE;
	cost = cost - (off > a.farthest ? (fresh * length) * j.look : V{});
	a.farthest = off > a.farthest ? off : a.farthest;
	dx = x - j.goal_x, dy = y - j.goal_y;
	a.cost = cost + root(dx * dx + dy * dy) * j.goal;
}

static void drive(const Job &j, const uint32_t *map, const float *u, float *costs, int first) {
	Noise n = begin(j, first);
	Car a = {splat(j.x), splat(j.y), splat(j.cos), splat(j.sin), V{}, splat(j.speed), splat(j.steering),
			 splat(j.turned), splat(j.drove), V{}, V{}, I{}, U{}};
	for (int t = 0; t < j.steps; t++) {
		V steer, speed;
		next(j, n, u, t, steer, speed);
		step(j, map, u + 2 * t, a, steer, speed);
	}
	V worth = __builtin_convertvector((I)(a.cell >> 16), V) * WORD;
	V cost = a.cost - (a.hit ? V{} : worth * j.reach);
	__builtin_memcpy(costs + first, &cost, sizeof cost);
}

static void collect(const Job &j, const float *u, const float *weights, float *sums, int first, int lane) {
	V weight = load(weights + first);
	if (!any(weight > 0)) return;
	Noise n = begin(j, first);
	for (int t = 0; t < j.steps; t++) {
		V steer, speed;
		next(j, n, u, t, steer, speed);
		float *to = sums + t * 2 * BLOCK + lane;
		store(to, load(to) + (steer - u[2 * t]) * weight);
		store(to + BLOCK, load(to + BLOCK) + (speed - u[2 * t + 1]) * weight);
	}
}

} // namespace

#define DEFINE(ISA)                                                                                                        \
	void rollout_drive_##ISA(const Job *j, const uint32_t *map, const float *u, float *costs, int first, int last) {       \
		for (int i = first * BLOCK; i < last * BLOCK; i += WIDTH) drive(*j, map, u, costs, i);                             \
	}                                                                                                                      \
	void rollout_gather_##ISA(const Job *j, const float *u, const float *weights, float *sums, int first, int last) {      \
		for (int i = first * BLOCK; i < last * BLOCK; i += WIDTH) collect(*j, u, weights, sums, i, i % BLOCK);             \
	}
