// Where a channel's cells lie and how to read one. See field.Storage.
#ifndef FIELDBRAIN_CELLS_CUH
#define FIELDBRAIN_CELLS_CUH

#include "exact.cuh"
#include "half.cuh"
#include "stamp.cuh"

// coordinate is the bin along one axis of the cell at (a, b, r).
DEVICE int coordinate(const PlacedChannel *s, int axis, int a, int b, int r) {
	return s->axis[2] == axis ? r : s->axis[1] == axis ? b : s->axis[0] == axis ? a : 0;
}

// stride is how far apart neighbours along an axis lie, 0 where the channel
// does not store the axis.
DEVICE int stride(const PlacedChannel *s, int axis) {
	return s->axis[2] == axis ? 1 : s->axis[1] == axis ? SIDE : s->axis[0] == axis ? s->extent[1] * SIDE : 0;
}

// halved reports whether a channel's activations are stored in half precision:
// learned traces and maps never are.
DEVICE bool halved(const Memory *mem, const PlacedChannel *s) { return mem->halves && (s->kind == AMARI || s->kind == LINEAR); }

// activation reads the present activation of stored cell i of channel c.
DEVICE float activation(const Memory *mem, int c, int i) {
	const PlacedChannel *s = &mem->constants->channels[c];
	int now = mem->flip[c];
	return halved(mem, s) ? from_half(mem->half[now][s->offset + i]) : mem->u[now][s->offset + i];
}

// present is its output in Q15.
DEVICE int present(const Memory *mem, int c, int i) {
	return output(activation(mem, c, i), mem->constants->channels[c].kind == AMARI);
}

// spread takes the bits of a packed number and deals them to the axes of a mask
// in the order X, Y, Z, X first: the reverse of pack.
DEVICE void spread(int n, int mask, int at[3]) {
	at[2] = mask & AXIS_Z ? n & 31 : 0;
	if (mask & AXIS_Z) n >>= 5;
	at[1] = mask & AXIS_Y ? n & 31 : 0;
	if (mask & AXIS_Y) n >>= 5;
	at[0] = mask & AXIS_X ? n & 31 : 0;
}

// pack numbers the distinct cells of a mask.
DEVICE int pack(const int at[3], int mask) {
	int n = 0;
	if (mask & AXIS_X) n = at[0];
	if (mask & AXIS_Y) n = n * SIDE + at[1];
	if (mask & AXIS_Z) n = n * SIDE + at[2];
	return n;
}

DEVICE int distinct(int mask) {
	return 1 << (5 * ((mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)));
}

// place is where the distinct cell `at` is stored first.
DEVICE int place(const PlacedChannel *s, const int at[3]) {
	return at[0] * stride(s, AXIS_X) + at[1] * stride(s, AXIS_Y) + at[2] * stride(s, AXIS_Z);
}

// warp_sum adds a value over the warp's lanes.
DEVICE int warp_sum(int v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	return __reduce_add_sync(0xffffffffu, v);
#else
	for (int d = SIDE / 2; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
	return v;
#endif
}

DEVICE float warp_most(float v) {
	for (int d = SIDE / 2; d > 0; d /= 2) v = highest(v, __shfl_xor_sync(0xffffffffu, v, d));
	return v;
}

DEVICE float warp_least(float v) {
	for (int d = SIDE / 2; d > 0; d /= 2) v = lowest(v, __shfl_xor_sync(0xffffffffu, v, d));
	return v;
}

#endif
