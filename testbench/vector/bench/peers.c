//go:build !cuda

#include "peers.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
	double x, v, angle, rate;
	uint64_t noise;
	int age;
} Pole;

static uint64_t next(uint64_t *s) {
	uint64_t z = *s += 0x9E3779B97F4A7C15;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}
static double uniform(uint64_t *s) { return (next(s) >> 11) * 0x1p-53; }
static double normal(uint64_t *s) {
	double u = 1 - uniform(s);
	return sqrt(-2 * log(u)) * cos(6.283185307179586 * uniform(s));
}

static __attribute__((noinline)) void pole_step(Pole *p, int right) {
	double force = right ? 10 : -10, c = cos(p->angle), s = sin(p->angle);
	double t = (force + 0.05 * p->rate * p->rate * s) / 1.1;
	double turn = (9.8 * s - c * t) / (0.5 * (4.0 / 3 - 0.1 * c * c / 1.1)), a = t - 0.05 * turn * c / 1.1;
	p->x += 0.02 * p->v, p->v += 0.02 * a, p->angle += 0.02 * p->rate, p->rate += 0.02 * turn;
	if (fabs(p->x) > 2.4 || fabs(p->angle) > 0.20943951 || ++p->age >= 500) {
		p->x = uniform(&p->noise) * 0.1 - 0.05, p->v = uniform(&p->noise) * 0.1 - 0.05;
		p->angle = uniform(&p->noise) * 0.1 - 0.05, p->rate = uniform(&p->noise) * 0.1 - 0.05, p->age = 0;
	}
}

double peer_cartpole(int n, int rounds) {
	Pole *p = calloc(n, sizeof *p);
	double sum = 0;
	if (!p) return 0;
	for (int i = 0; i < n; i++) p[i].noise = i;
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < n; i++) pole_step(p + i, (i + r) & 1);
	for (int i = 0; i < n; i++) sum += p[i].x;
	free(p);
	return sum;
}

typedef struct {
	double x, y, heading, v, steer, left, right, want, gap, odometer, range, floor[3], volts;
	uint64_t noise;
	int age, contact;
} Car;

// walls and discs of bench.go's room.
static const double discs[8][2] = {{0.5, 0.6}, {0.9, 2.4}, {1.3, 0.6}, {1.7, 2.4}, {2.1, 0.6}, {2.5, 2.4}, {2.9, 0.6}, {3.3, 2.4}};

static double clearance(double x, double y) {
	double d = fmin(fmin(x, 4 - x), fmin(y, 3 - y));
	for (int i = 0; i < 8; i++) d = fmin(d, hypot(x - discs[i][0], y - discs[i][1]) - 0.08);
	return d - 0.09;
}

static double ray(double x, double y, double ux, double uy) {
	double d = ux > 0 ? (4 - x) / ux : -x / ux;
	d = fmin(d, uy > 0 ? (3 - y) / uy : -y / uy);
	for (int i = 0; i < 8; i++) {
		double wx = discs[i][0] - x, wy = discs[i][1] - y, along = wx * ux + wy * uy, across = wx * uy - wy * ux;
		double half = 0.08 * 0.08 - across * across;
		if (half >= 0 && along - sqrt(half) >= 0) d = fmin(d, along - sqrt(half));
	}
	return d;
}

static void sense(Car *c) {
	if (c->age % 40 == 0) {
		double best = 10, x = c->x + 0.11 * cos(c->heading), y = c->y + 0.11 * sin(c->heading);
		for (int i = -3; i <= 3; i++) {
			double a = c->heading + 0.0698 * i;
			best = fmin(best, ray(x, y, cos(a), sin(a)));
		}
		c->range = uniform(&c->noise) < 0.02 ? -1 : best * (1 + 0.01 * normal(&c->noise));
	}
	if (c->age % 5 == 0)
		for (int i = 0; i < 3; i++) c->floor[i] = floor(1000 + 30 * normal(&c->noise));
}

static double wheel(double duty, double volts) { return 0.65 * fmax(0, (duty - 0.45) / 0.55) * volts / 7.4; }

static __attribute__((noinline)) void car_step(Car *c, int sensors) {
	c->volts = 7.7 - 0.15 * (0.3 + 1.2 * (c->left + c->right));
	double wheels = (wheel(c->left, c->volts) + wheel(c->right, c->volts)) / 2 / 1.05;
	c->v += (wheels - c->v) * 0.008298707;
	c->steer = fmin(fmax(c->want, c->steer - 0.00523599), c->steer + 0.00523599);
	double yaw = fabs(c->v) > 1e-4 ? c->v * tan(c->steer) / 0.095 * 1.105 : 0, half = yaw * 0.0005;
	double x = c->x + c->v * 0.001 * cos(c->heading + half), y = c->y + c->v * 0.001 * sin(c->heading + half);
	double h = c->heading + 2 * half;
	h -= 6.283185307179586 * floor((h + 3.141592653589793) / 6.283185307179586);
	double gap = clearance(x + 0.05 * cos(h), y + 0.05 * sin(h));
	if (gap <= 0 && gap < c->gap) {
		c->v = 0, c->contact = 1;
	} else {
		c->odometer += fabs(c->v * 0.001);
		c->x = x, c->y = y, c->heading = h, c->gap = gap;
	}
	c->age++;
	if (sensors) sense(c);
	if (c->contact) { // begin anew
		c->x = 2, c->y = 1.5, c->v = 0, c->contact = 0, c->gap = clearance(2, 1.5);
	}
}

double peer_car(int n, int steps, int sensors) {
	Car *c = calloc(n, sizeof *c);
	double sum = 0;
	if (!c) return 0;
	for (int i = 0; i < n; i++)
		c[i].noise = i, c[i].x = 2, c[i].y = 1.5, c[i].heading = i % 628 * 0.01 - 3.14, c[i].left = 0.6,
		c[i].right = 0.75, c[i].want = -(i % 7) * 0.03, c[i].gap = clearance(2, 1.5);
	for (int s = 0; s < steps; s++)
		for (int i = 0; i < n; i++) car_step(c + i, sensors);
	for (int i = 0; i < n; i++) sum += c[i].odometer;
	free(c);
	return sum;
}
