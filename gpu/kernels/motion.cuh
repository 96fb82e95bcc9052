// Egocentric displacement (field/warp.go): each cell takes the old activation from
// where the body's motion brought it from.
//
//   x0 = x + (turn - d sin(psi_x)/r_y) / bin     y0 = y + d cos(psi_x) / (k r_y)
//
// Blocks of K1, a thread per distinct cell; bilinear in bearing and
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

// A Displacement is what a block needs of the channel that it displaces, besides the
// motion: it is brought while the input is under way.
struct Displacement {
	PlacedChannel s;
	Row near, sin, cos;
	float outside;        // beyond the ranges
	const float *u;       // old activations, where they are whole
	const uint16_t *half; // where they are halves
	int total;

	DEVICE_MEMBER float old(int i) const { return half ? from_half(half[i]) : u[i]; }
};

// displacement fills one in; a whole block calls it.
DEVICE void displacement(const Memory *mem, int c, Displacement *d) {
	const Constants *k = mem->constants;
	const int i = threadIdx.x, row = i / SIDE, lane = i % SIDE;
	if (row < 3) (row == 0 ? d->near : row == 1 ? d->sin : d->cos)[lane] = (row == 0 ? k->near : row == 1 ? k->sin : k->cos)[lane];
	if (row == 3 && lane < (int)(sizeof(PlacedChannel) / 4)) ((int32_t *)&d->s)[lane] = ((const int32_t *)&k->channels[c])[lane];
	if (row == 4 && lane == 0) {
		const PlacedChannel *s = &k->channels[c];
		const int now = mem->flip[c];
		d->half = halved(mem, s) ? mem->half[now] + s->offset : 0;
		d->u = mem->u[now] + s->offset;
		d->outside = k->coef[0][c].resting;
		d->total = 0;
	}
	__syncthreads();
}

// displaced_cell is the old activation that the body's motion brings to one distinct cell.
DEVICE float displaced_cell(const Displacement *d, float forward, float turn, const int at[3]) {
	const PlacedChannel *s = &d->s;
	const int sx = stride(s, AXIS_X), sy = stride(s, AXIS_Y), origin = at[2] * stride(s, AXIS_Z);
	if (s->mask & AXIS_Y) {
		const Shift to = shift_of(d->near, d->sin, d->cos, forward, turn, at[0], at[1]);
		const int right = (to.x + 1) & (SIDE - 1);
		auto old = [&](int x, int y) -> float { return y < 0 || y >= SIDE ? d->outside : d->old(origin + x * sx + y * sy); };
		return lerp(lerp(old(to.x, to.y), old(right, to.y), to.wx),
					lerp(old(to.x, to.y + 1), old(right, to.y + 1), to.wx), to.wy);
	}
	float wturn;
	const int turned = split(mul(turn, (float)(1 / BIN_ANGLE)), &wturn) & (SIDE - 1);
	const int lo = (at[0] + turned) & (SIDE - 1), hi = (lo + 1) & (SIDE - 1);
	return lerp(d->old(origin + lo * sx), d->old(origin + hi * sx), wturn);
}

// displace writes a part of the distinct cells of one channel as the body's motion
// has moved them, packed, and the sum of that part's outputs. Cells that the step
// stores but that are not distinct follow from these (Share.from).
DEVICE void displace(const Memory *mem, const Input *in, const Task *task, Displacement *d) {
	const float forward = limited(in->forward, 1), turn = limited(in->turn, (float)(2 * PI));
	const bool moving = forward != 0 || turn != 0;
	if (threadIdx.x == 0) mem->frame->moving = moving; // of all of these blocks the same
	if (!moving) return;
	const int mask = d->s.mask, cells = distinct(mask) / task->parts;
	int sum = 0;
	for (int n = threadIdx.x; n < cells; n += blockDim.x) {
		const int cell = task->part * cells + n;
		int at[3];
		spread(cell, mask, at);
		const float v = displaced_cell(d, forward, turn, at);
		mem->moved[d->s.offset + cell] = v;
		sum += output(v, d->s.kind == AMARI);
	}
	sum = warp_sum(sum);
	if (threadIdx.x % SIDE == 0) atomicAdd(&d->total, sum);
	__syncthreads();
	if (threadIdx.x == 0) mem->frame->moved_sum[task->of][task->part] = d->total;
}

#endif
