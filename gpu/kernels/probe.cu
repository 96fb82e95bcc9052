// One phase of the evolve pass per kernel, so that its instructions can be
// counted: only the static report compiles this file, nothing runs it.
#include "fieldbrain.cu"

#define PROBE(NAME) extern "C" __global__ void __launch_bounds__(512, 2) NAME(const Memory *mem, int row, int r)

__shared__ Share probe_share;
extern __shared__ uint16_t probe_room[];

PROBE(probe_empty) {
	Tile t = {probe_room};
	t.set(row, r, 1);
}

// 16 planes of one column, outputs of 32 activations included.
template <bool WIDE>
DEVICE void probe_across(int row, int r) {
	Tile t = {probe_room};
	int v[32];
#pragma unroll
	for (int k = 0; k < 32; k++) v[k] = output(probe_share.u[(k * SIDE + row) * SIDE + r], true);
	across<WIDE, 16>(v, t, row, SIDE, r);
}

PROBE(probe_across_narrow) { probe_across<false>(row, r); }
PROBE(probe_across_wide) { probe_across<true>(row, r); }

// 32 rows of one column, or one row of 32 cells.
PROBE(probe_column_narrow) { down_column<false, false>(Tile{probe_room}, row, r); }
PROBE(probe_column_wide) { down_column<true, false>(Tile{probe_room}, row, r); }
PROBE(probe_row_narrow) { along_row<false, false>(Tile{probe_room}, row); }
PROBE(probe_row_wide) { along_row<true, false>(Tile{probe_room}, row); }

// One cell of a channel that lacks nothing but noise, with one stimulus: a warp
// does a row.
PROBE(probe_update) {
	Share *w = &probe_share;
	const Tile tiles[2] = {{probe_room}, {probe_room + 512 * PITCH}};
	const int parts = ACTIVE | INHIBITED | PRESHAPED | ACROSS | DOWN | ALONG, i = w->cell(row, row, r);
	const Hood h = {-SIDE, SIDE, r - 1, r + 1};
	const Cell cell = {w, tiles, row, row, row, r, i};
	Tally sum = {0, 0};
	float below = w->u[i - PLANE], at = w->u[i], above = w->u[i + PLANE];
	float d = diffuse<false>(w, parts, h, below, at, above, i), s = clipped(mul(mul(w->a[0][row], w->b[0][row]), w->r[0][r]));
	float next = relax(w->k, parts, true, d, drive(w->k, parts, s, w->base, cell), cell);
	if (sub(next, next) != 0) w->bad = true;
	store<false>(w, i, next, row, row, r);
	sum.note(output(next, true), row, r);
	w->sums[2][r] = sum.column + sum.plane;
}
