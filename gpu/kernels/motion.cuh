// Egocentric displacement (field/warp.go): each cell takes the old activation from
// where the body's motion brought it from.
//
//   x0 = x + (turn - d sin(psi_x)/r_y) / bin     y0 = y + d cos(psi_x) / (k r_y)
//
// A block of K1 per channel, a thread per stored cell; bilinear in bearing and range,
// the rotation alone where a channel has no range.
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

DEVICE Shift shift_of(const Constants *k, float forward, float turn, int x, int y) {
	Shift s;
	float turned = mul(turn, (float)(1 / BIN_ANGLE));
	float step = mul(forward, k->near[y]);
	float x0 = add((float)x, sub(turned, mul(step, k->sin[x])));
	float y0 = add((float)y, mul(step, k->cos[x]));
	s.x = split(x0, &s.wx) & (SIDE - 1);
	s.y = split(clip(y0, -1, SIDE), &s.wy);
	return s;
}

// displace writes the activations of one channel as the body's motion has moved
// them, and the sum of their outputs.
DEVICE void displace(const Memory *mem, const Input *in, int c, int *total) {
	float forward = limited(in->forward, 1), turn = limited(in->turn, (float)(2 * PI));
	if (forward == 0 && turn == 0) return;
	const PlacedChannel *s = &mem->constants->channels[c];
	const int sx = stride(s, AXIS_X), sy = stride(s, AXIS_Y);
	float wturn;
	int turned = split(mul(turn, (float)(1 / BIN_ANGLE)), &wturn) & (SIDE - 1);
	float outside = mem->constants->coef[0][c].resting;
	if (threadIdx.x == 0) *total = 0;
	__syncthreads();
	int sum = 0;
	for (int i = threadIdx.x; i < s->size; i += blockDim.x) {
		int r = i % SIDE, row = i / SIDE % s->extent[1], a = i / SIDE / s->extent[1];
		int x = coordinate(s, AXIS_X, a, row, r), y = coordinate(s, AXIS_Y, a, row, r);
		float v;
		if (s->mask & AXIS_Y) {
			Shift at = shift_of(mem->constants, forward, turn, x, y);
			int origin = i - x * sx - y * sy, right = (at.x + 1) & (SIDE - 1);
			auto old = [&](int x, int y) -> float {
				return y < 0 || y >= SIDE ? outside : activation(mem, c, origin + x * sx + y * sy);
			};
			v = lerp(lerp(old(at.x, at.y), old(right, at.y), at.wx),
					 lerp(old(at.x, at.y + 1), old(right, at.y + 1), at.wx), at.wy);
		} else {
			int lo = (x + turned) & (SIDE - 1), hi = (lo + 1) & (SIDE - 1);
			v = lerp(activation(mem, c, i + (lo - x) * sx), activation(mem, c, i + (hi - x) * sx), wturn);
		}
		mem->moved[s->offset + i] = v;
		sum += output(v, s->kind == AMARI);
	}
	sum = warp_sum(sum);
	if (threadIdx.x % SIDE == 0) atomicAdd(total, sum);
	__syncthreads();
	if (threadIdx.x == 0) mem->frame->moved_total[c] = *total / s->repeats;
}

#endif
