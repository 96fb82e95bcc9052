// The bicycle of package brain/plan (motion.go): thirteen actions from one state,
// a second of 20 steps each.
//
//   v' = v + grip (speed - v)       d' = d + clip(angle - d, slew)
//   psi' = psi + 2 h                h = mean v * curve * mean tan d
//   x', y' = x, y + 0.05 mean v (cos, sin)(psi + h)
//
// Launch: one block of 32 threads, a thread per action. Memory: 200 bytes read from
// the host, 60 bytes written there per action.
#ifndef FIELDBRAIN_BICYCLE_CUH
#define FIELDBRAIN_BICYCLE_CUH

#include "plan.cuh"

// tangent is that of at most 0.6 rad.
DEVICE float tangent(float a) {
	float q = mul(a, a);
	float p = add(mul(q, (float)(1382.0 / 155925)), (float)(62.0 / 2835));
	p = add(mul(q, p), (float)(17.0 / 315));
	p = add(mul(q, p), (float)(2.0 / 15));
	p = add(mul(q, p), (float)(1.0 / 3));
	return add(a, mul(mul(a, q), p));
}

// rotate turns a unit vector by a small angle, at most 0.3 rad.
DEVICE void rotate(float *c, float *s, float a) {
	const float q = mul(a, a);
	const float sine = mul(a, sub(1, mul(mul(q, (float)(1.0 / 6)), sub(1, mul(q, (float)(1.0 / 20))))));
	const float cosine = sub(1, mul(mul(0.5f, q), sub(1, mul(mul(q, (float)(1.0 / 12)), sub(1, mul(q, (float)(1.0 / 30)))))));
	const float x = sub(mul(*c, cosine), mul(*s, sine));
	*s = add(mul(*s, cosine), mul(*c, sine));
	*c = x;
}

// steer moves the wheels towards where they shall be and returns the mean slope
// of the step.
DEVICE float steer(float *d, float gap, float slew) {
	gap = gap > slew ? slew : gap < -slew ? -slew : gap;
	const float rest = __fdiv_rn(gap > 0 ? gap : -gap, slew), before = *d;
	*d = add(before, gap);
	const float moving = tangent(add(before, mul(0.5f, gap)));
	return add(mul(rest, moving), mul(sub(1, rest), tangent(*d)));
}

extern "C" __global__ void __launch_bounds__(32) fieldbrain_propagate(Planner *p) {
	const PlanMotion *m = &p->job->motion;
	volatile PlanPaths *out = &p->answer->paths;
	const int i = threadIdx.x;
	if (i >= PLAN_POSES) return;
	const float grip = m->grip, slew = m->slew, curve = m->curve, ahead = m->ahead;
	const float angle = m->angles[i], speed = m->speeds[i], slope = m->slopes[i];
	float x = m->from.x, y = m->from.y, psi = m->from.heading, v = m->from.speed, d = m->from.steering;
	float c = m->cos, s = m->sin, half = 0;
	for (int n = 0; n < PLAN_STEPS; n++) {
		const float gained = mul(grip, sub(speed, v)), mean = add(v, mul(0.5f, gained)), gap = sub(angle, d);
		v = add(v, gained);
		const float h = mul(mul(mean, curve), gap != 0 ? steer(&d, gap, slew) : slope);
		rotate(&c, &s, add(half, h));
		half = h;
		psi = add(psi, mul(2.0f, h));
		const float way = mul(mean, 0.05f);
		x = add(x, mul(way, c));
		y = add(y, mul(way, s));
		if (n % 4 != 3) continue;
		float ca = c, sa = s;
		rotate(&ca, &sa, half);
		out->x[n / 4][i] = add(x, mul(ahead, ca));
		out->y[n / 4][i] = add(y, mul(ahead, sa));
	}
	volatile PlanState *end = &out->end[i];
	end->x = x;
	end->y = y;
	end->heading = psi;
	end->speed = v;
	end->steering = d;
}

#endif
