// Egocentric displacement (field/warp.go): each cell takes the old activation from
// where the body's motion brought it from.
//
//   x0 = x + (turn - d sin(psi_x)/r_y) / bin     y0 = y + d cos(psi_x) / (k r_y)
//
// Blocks of K1, a thread per distinct cell, 1024 to a block; bilinear in bearing and
// range, the rotation alone where a channel has no range.
#ifndef FIELDBRAIN_MOTION_CUH
#define FIELDBRAIN_MOTION_CUH

#include "cells.cuh"

// limited clips v to +-limit; 0 for a value that is not a number.
DEVICE float limited(float v, float limit) { return v != v ? 0 : clip(v, -limit, limit); }

// split returns the floor of v and leaves the rest in `rest`.
DEVICE int split(float v, float *rest) {
	float f = floorf(v);
	*rest = sub(v, f);
	return (int)f;
}

// A Shift is where one cell of the bearing-range plane is sampled.
struct Shift {
	int x, y;
	float wx, wy;
};

DEVICE Shift shift_of(const float *near, const float *sin, const float *cos, float forward, float turn, int x, int y) {
	Shift s;
	float turned = mul(turn, (float)(1 / BIN_ANGLE));
	float step = mul(forward, near[y]);
	float x0 = add((float)x, sub(turned, mul(step, sin[x])));
	float y0 = add((float)y, mul(step, cos[x]));
	s.x = split(x0, &s.wx) & (SIDE - 1);
	s.y = split(clip(y0, -1, SIDE), &s.wy);
	return s;
}

// displace writes a part of the distinct cells of one channel as the body's motion
// has moved them, packed, and the sum of that part's outputs. Cells that the step
// stores but that are not distinct follow from these (Share.from).
DEVICE void displace(const Memory *mem, const Input *in, const Task *task, int *total) {
	const float forward = limited(in->forward, 1), turn = limited(in->turn, (float)(2 * PI));
	if (forward == 0 && turn == 0) return;
	const int c = task->of, cells = distinct(mem->constants->channels[c].mask) / task->parts;
	const PlacedChannel *s = &mem->constants->channels[c];
	const int sx = stride(s, AXIS_X), sy = stride(s, AXIS_Y), mask = s->mask;
	const bool amari = s->kind == AMARI;
	float wturn;
	const int turned = split(mul(turn, (float)(1 / BIN_ANGLE)), &wturn) & (SIDE - 1);
	const float outside = mem->constants->coef[0][c].resting;
	if (threadIdx.x == 0) *total = 0;
	__syncthreads();
	int sum = 0;
	for (int n = threadIdx.x; n < cells; n += blockDim.x) {
		const int cell = task->part * cells + n;
		int at[3];
		spread(cell, mask, at);
		const int origin = at[2] * stride(s, AXIS_Z);
		float v;
		if (mask & AXIS_Y) {
			const Shift to = shift_of(mem->constants->near, mem->constants->sin, mem->constants->cos, forward, turn, at[0], at[1]);
			const int right = (to.x + 1) & (SIDE - 1);
			auto old = [&](int x, int y) -> float {
				return y < 0 || y >= SIDE ? outside : activation(mem, c, origin + x * sx + y * sy);
			};
			v = lerp(lerp(old(to.x, to.y), old(right, to.y), to.wx),
					 lerp(old(to.x, to.y + 1), old(right, to.y + 1), to.wx), to.wy);
		} else {
			const int lo = (at[0] + turned) & (SIDE - 1), hi = (lo + 1) & (SIDE - 1);
			v = lerp(activation(mem, c, origin + lo * sx), activation(mem, c, origin + hi * sx), wturn);
		}
		mem->moved[s->offset + cell] = v;
		sum += output(v, amari);
	}
	sum = warp_sum(sum);
	if (threadIdx.x % SIDE == 0) atomicAdd(total, sum);
	__syncthreads();
	if (threadIdx.x == 0) mem->frame->moved_sum[c][task->part] = *total;
}

#endif
