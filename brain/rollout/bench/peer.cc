//go:build !cuda

#include "peer.h"

#pragma GCC optimize("O3", "fast-math")
#if defined(__x86_64__)
#pragma GCC target("avx2,fma")
#endif

#include <cmath>
#include <random>
#include <vector>

namespace {
constexpr int CELLS = 64;
constexpr float DT = 0.05f, WHEELBASE = 0.094f, LOCK = 0.5235988f, FAST = 0.35f, BACK = -0.2f;
constexpr float GRIP = 0.3407597f, SLEW = 0.2617994f, STEER_STD = 0.35f, SPEED_STD = 0.12f, TEMPERATURE = 0.3f;

typedef float *__restrict Row;
typedef const float *__restrict Past;

// An Array has all trajectories of a step in a row.
struct Array {
	float *all = nullptr;
	int n = 0;
	void make(int rows, int columns) { n = columns, all = new float[(size_t)rows * columns](); }
	float *row(int t) { return all + (size_t)t * n; }
	float &operator[](int i) { return all[i]; }
};

inline float clip(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

// sine of any angle, for a compiler to vectorise, as Eigen has its own.
inline float sine(float a) {
	float k = floorf(a * 0.31830989f + 0.5f), r = (a - k * 3.140625f) - k * 9.6765359e-4f, q = r * r;
	float p = r * (1 + q * (-1.6666655e-1f + q * (8.3321609e-3f + q * -1.9515296e-4f)));
	return k - 2 * floorf(k * 0.5f) != 0 ? -p : p;
}
inline float cosine(float a) { return sine(a + 1.5707963f); }
inline float tangent(float a) {
	float q = a * a;
	return a + a * q * (0.33333333f + q * (0.13333333f + q * (0.053968254f + q * 0.021869489f)));
}
} // namespace

struct Peer {
	int n, steps;
	float *map;
	Array noise_steer, noise_speed, steer, speed, v, d, heading, x, y, cost, mean_steer, mean_speed, from, far;
	std::vector<uint8_t> hit;

	float at(int layer, float px, float py) const {
		int i = (int)clip(px * 16, 0, CELLS - 1), k = (int)clip(py * 16, 0, CELLS - 1);
		return map[(layer * CELLS + i) * CELLS + k];
	}

	void disturb() {
		for (int t = 0; t < steps; t++) {
			Row a = steer.row(t), b = speed.row(t);
			Past c = noise_steer.row(t), e = noise_speed.row(t);
			float u = mean_steer[t], w = mean_speed[t];
			for (int k = 0; k < n; k++) a[k] = clip(u + c[k], -LOCK, LOCK), b[k] = clip(w + e[k], BACK, FAST);
		}
	}

	// integrate fills speeds, angles, headings and places.
	void integrate(float x0, float y0, float heading0, float v0) {
		for (int t = 0; t < steps; t++) {
			Row vt = v.row(t), dt = d.row(t), ht = heading.row(t), xt = x.row(t), yt = y.row(t);
			Past a = steer.row(t), b = speed.row(t);
			if (t == 0) {
				for (int k = 0; k < n; k++) {
					vt[k] = v0 + (b[k] - v0) * GRIP, dt[k] = clip(a[k], -SLEW, SLEW);
					ht[k] = heading0 + vt[k] * (DT / WHEELBASE) * tangent(dt[k]);
					xt[k] = x0 + vt[k] * DT * cosine(heading0), yt[k] = y0 + vt[k] * DT * sine(heading0);
				}
				continue;
			}
			Past v1 = v.row(t - 1), d1 = d.row(t - 1), h1 = heading.row(t - 1), x1 = x.row(t - 1), y1 = y.row(t - 1);
			for (int k = 0; k < n; k++) vt[k] = v1[k] + (b[k] - v1[k]) * GRIP;
			for (int k = 0; k < n; k++) dt[k] = d1[k] + clip(a[k] - d1[k], -SLEW, SLEW);
			for (int k = 0; k < n; k++) ht[k] = h1[k] + vt[k] * (DT / WHEELBASE) * tangent(dt[k]);
			for (int k = 0; k < n; k++) xt[k] = x1[k] + vt[k] * DT * cosine(h1[k]);
			for (int k = 0; k < n; k++) yt[k] = y1[k] + vt[k] * DT * sine(h1[k]);
		}
	}

	// obstacles looks at a trajectory until it touches something.
	void obstacles() {
		for (int k = 0; k < n; k++) {
			float sum = 0;
			hit[k] = 0;
			for (int t = 0; t < steps; t++) {
				float risk = at(0, x.row(t)[k], y.row(t)[k]);
				sum += risk * 10 * DT;
				if (risk >= 0.5f) {
					hit[k] = 1, sum += 50;
					break;
				}
			}
			cost[k] += sum;
		}
	}

	void information(float x0, float y0) {
		Row f = far.all, c = cost.all;
		for (int k = 0; k < n; k++) f[k] = 0;
		for (int t = 0; t < steps; t++) {
			Past xt = x.row(t), yt = y.row(t), vt = v.row(t);
			for (int k = 0; k < n; k++) {
				float dx = xt[k] - x0, dy = yt[k] - y0, off = dx * dx + dy * dy, bits = at(1, xt[k], yt[k]);
				c[k] -= off > f[k] ? bits * fabsf(vt[k]) * (8 * DT) : 0;
				f[k] = off > f[k] ? off : f[k];
			}
		}
		for (int k = 0; k < n; k++)
			if (!hit[k]) c[k] -= 10 * at(2, x.row(steps - 1)[k], y.row(steps - 1)[k]);
	}

	void goal(float gx, float gy) {
		Row c = cost.all;
		for (int t = 0; t < steps; t++) {
			Past xt = x.row(t), yt = y.row(t);
			for (int k = 0; k < n; k++) {
				float dx = xt[k] - gx, dy = yt[k] - gy;
				c[k] += sqrtf(dx * dx + dy * dy) * (20.0f / steps);
			}
		}
	}

	void smoothness() {
		Row c = cost.all;
		for (int t = 1; t < steps; t++) {
			Past a = steer.row(t), b = speed.row(t), a1 = steer.row(t - 1), b1 = speed.row(t - 1);
			for (int k = 0; k < n; k++) c[k] += fabsf(a[k] - a1[k]) * 0.1f + (b[k] * b1[k] < 0 ? 0.5f : 0);
		}
	}

	void forward_and_length() {
		Row c = cost.all;
		for (int t = 0; t < steps; t++) {
			Past vt = v.row(t);
			for (int k = 0; k < n; k++) c[k] += fabsf(vt[k]) * (0.2f * DT) + (vt[k] < 0 ? -vt[k] * (5 * DT) : 0);
		}
	}

	void lean() {
		Row c = cost.all;
		for (int t = 0; t < steps; t++) {
			Past a = steer.row(t), b = speed.row(t);
			float u = mean_steer[t], w = mean_speed[t];
			float i = 0.02f / (STEER_STD * STEER_STD) * u, j = 0.02f / (SPEED_STD * SPEED_STD) * w;
			for (int k = 0; k < n; k++) c[k] += i * (a[k] - u) + j * (b[k] - w);
		}
	}

	void blend() {
		Row c = cost.all;
		float least = c[0], total = 0;
		for (int k = 0; k < n; k++) least = c[k] < least ? c[k] : least;
		for (int k = 0; k < n; k++) c[k] = expf((least - c[k]) / TEMPERATURE), total += c[k];
		for (int t = 0; t < steps; t++) {
			Past a = steer.row(t), b = speed.row(t);
			float i = 0, j = 0;
			for (int k = 0; k < n; k++) i += c[k] * a[k], j += c[k] * b[k];
			mean_steer[t] = i / total, mean_speed[t] = j / total;
		}
	}

	// smooth is Savitzky and Golay's quadratic over nine points, the ends held.
	void smooth(Array &u) {
		static const float w[9] = {-21, 14, 39, 54, 59, 54, 39, 14, -21};
		for (int t = 0; t < steps; t++) from[t] = u[t];
		for (int t = 0; t < steps; t++) {
			float sum = 0;
			for (int k = -4; k <= 4; k++) {
				int i = t + k;
				sum += w[k + 4] * from[i < 0 ? 0 : i >= steps ? steps - 1 : i];
			}
			u[t] = sum / 231;
		}
	}
};

extern "C" {

int peer_supported(void) {
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
	return 1;
#endif
}

Peer *peer_new(int n, int steps, const float *map) {
	Peer *p = new Peer;
	p->n = n, p->steps = steps, p->map = new float[3 * CELLS * CELLS];
	for (int i = 0; i < 3 * CELLS * CELLS; i++) p->map[i] = map[i];
	for (Array *a : {&p->noise_steer, &p->noise_speed, &p->steer, &p->speed, &p->v, &p->d, &p->heading, &p->x, &p->y})
		a->make(steps, n);
	p->cost.make(1, n), p->far.make(1, n), p->hit.assign(n, 0);
	p->mean_steer.make(1, steps), p->mean_speed.make(1, steps), p->from.make(1, steps);
	for (int t = 0; t < steps; t++) p->mean_speed[t] = FAST;
	std::mt19937 dice(1);
	std::normal_distribution<float> a(0, STEER_STD), b(0, SPEED_STD);
	for (int i = 0; i < n * steps; i++) p->noise_steer[i] = a(dice), p->noise_speed[i] = b(dice);
	return p;
}

void peer_free(Peer *p) {
	for (Array *a : {&p->noise_steer, &p->noise_speed, &p->steer, &p->speed, &p->v, &p->d, &p->heading, &p->x, &p->y,
					 &p->cost, &p->far, &p->mean_steer, &p->mean_speed, &p->from})
		delete[] a->all;
	delete[] p->map;
	delete p;
}

float peer_plan(Peer *p, float x, float y, float heading, float speed, float goal_x, float goal_y) {
	p->disturb();
	p->integrate(x, y, heading, speed);
	for (int k = 0; k < p->n; k++) p->cost[k] = 0;
	p->obstacles();
	p->information(x, y);
	p->goal(goal_x, goal_y);
	p->smoothness();
	p->forward_and_length();
	p->lean();
	p->blend();
	p->smooth(p->mean_steer), p->smooth(p->mean_speed);
	return p->mean_steer[0];
}
}
