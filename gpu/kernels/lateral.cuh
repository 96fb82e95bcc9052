// Lateral interaction: sums of Q15 outputs with integer weights, one axis after
// the other in the order X, Y, Z, each pass rounded and shifted back to Q15
// (field/cpu/lateral.go). A thread takes one line of 32 cells into registers
// and writes it back where it lay: nothing else reads that line in between.
#ifndef FIELDBRAIN_LATERAL_CUH
#define FIELDBRAIN_LATERAL_CUH

#include "cells.cuh"

enum { REACH = INHIBIT_TAPS - 1 }; // cells on each side that the wider kernel sees

// tap is half of a kernel: the weight at a distance. The compiler folds it.
template <bool WIDE>
DEVICE int tap(int d) {
	if (WIDE) {
		const int w[INHIBIT_TAPS] = INHIBIT_WEIGHTS;
		return w[d];
	}
	const int w[EXCITE_TAPS] = EXCITE_WEIGHTS;
	return w[d];
}

// A Tile is the share of a channel's outputs that one block holds in shared
// memory: rows of 32 cells, 16 bits each. Rows lie 17 words apart, so that 32
// threads that walk along 32 neighbouring rows meet no bank twice.

struct Tile {
	uint16_t *cells;

	DEVICE_MEMBER int get(int row, int r) const { return cells[row * PITCH + r]; }
	DEVICE_MEMBER void set(int row, int r, int v) const { cells[row * PITCH + r] = (uint16_t)v; }
	DEVICE_MEMBER uint32_t *words(int row) const { return (uint32_t *)(cells + row * PITCH); }
};

// around is the weighted sum at cell i of a line of 32. Beyond the ends of a
// line that does not wrap there are zeros.
template <bool WIDE, bool WRAP>
DEVICE int around(const int (&v)[SIDE], int i) {
	int sum = tap<WIDE>(0) * v[i] + ROUND;
#pragma unroll
	for (int d = 1; d < (WIDE ? INHIBIT_TAPS : EXCITE_TAPS); d++) {
		int pair = 0;
		if (WRAP || i - d >= 0) pair = v[(i - d) & (SIDE - 1)];
		if (WRAP || i + d < SIDE) pair += v[(i + d) & (SIDE - 1)];
		sum += tap<WIDE>(d) * pair;
	}
	return sum >> 15;
}

// down_column convolves 32 rows of a plane in place, column r from the row on.
template <bool WIDE, bool WRAP>
DEVICE void down_column(Tile t, int row, int r) {
	int v[SIDE];
#pragma unroll
	for (int i = 0; i < SIDE; i++) v[i] = t.get(row + i, r);
#pragma unroll
	for (int i = 0; i < SIDE; i++) t.set(row + i, r, around<WIDE, WRAP>(v, i));
}

// along_row convolves one row in place, two cells to a word.
template <bool WIDE, bool WRAP>
DEVICE void along_row(Tile t, int row) {
	uint32_t *words = t.words(row);
	int v[SIDE];
#pragma unroll
	for (int i = 0; i < SIDE; i += 2) {
		uint32_t w = words[i / 2];
		v[i] = (int)(w & 0xffff); // the even one comes first
		v[i + 1] = (int)(w >> 16);
	}
#pragma unroll
	for (int i = 0; i < SIDE; i += 2)
		words[i / 2] = (uint32_t)around<WIDE, WRAP>(v, i) | (uint32_t)around<WIDE, WRAP>(v, i + 1) << 16;
}

// lines convolves every line of one of the inner loops.
template <bool WIDE, bool ROWS, bool WRAP>
DEVICE void lines(Tile t, int planes, int rows) {
	const int n = ROWS ? rows : planes * SIDE;
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		if (ROWS) along_row<WIDE, WRAP>(t, i);
		else down_column<WIDE, WRAP>(t, i / SIDE * SIDE, i % SIDE);
	}
	__syncthreads();
}

// within convolves along the two inner loops of a block's planes.
template <bool WIDE>
DEVICE void within(const PlacedChannel *s, Tile t, int planes) {
	const int rows = planes * s->extent[1];
	if (s->local[1]) {
		if (s->axis[1] == AXIS_X) lines<WIDE, false, true>(t, planes, rows);
		else lines<WIDE, false, false>(t, planes, rows);
	}
	if (s->local[2]) {
		if (s->axis[2] == AXIS_X) lines<WIDE, true, true>(t, planes, rows);
		else lines<WIDE, true, false>(t, planes, rows);
	}
}

// beside is the weighted sum at plane k of a column that reaches beyond both ends.
template <bool WIDE, int LENGTH>
DEVICE int beside(const int (&v)[LENGTH], int k) {
	int sum = tap<WIDE>(0) * v[k] + ROUND;
#pragma unroll
	for (int d = 1; d < (WIDE ? INHIBIT_TAPS : EXCITE_TAPS); d++) sum += tap<WIDE>(d) * (v[k - d] + v[k + d]);
	return sum >> 15;
}

// across takes a column of planes through loop A and leaves the block's own planes in
// its tiles, of one kernel or of both: plane by plane, so that no pair that both need
// waits in a register. The column begins REACH planes before them, so that every index
// is known when the kernel is compiled.
template <bool BOTH, int PLANES>
DEVICE void across(const int (&v)[PLANES + 2 * REACH], const Tile *tiles, int row, int pitch, int r) {
#pragma unroll
	for (int k = 0; k < PLANES; k++) {
		tiles[0].set(row + k * pitch, r, beside<false>(v, k + REACH));
		if (BOTH) tiles[1].set(row + k * pitch, r, beside<true>(v, k + REACH));
	}
}

#endif
