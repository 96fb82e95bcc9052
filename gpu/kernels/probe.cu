// One phase of the evolve pass or one task of the preparation per kernel, so that its
// instructions can be counted: only the static report compiles this file, nothing
// runs it. A loop counts once.
#include "fieldbrain.cu"

#define PROBE(NAME) extern "C" __global__ void __launch_bounds__(512, 2) NAME(const Memory *mem, int row, int r)
#define PROBE_TASK(NAME) extern "C" __global__ void __launch_bounds__(PREP_THREADS, 2) NAME(const Memory *mem, int row, int r)

__shared__ Share probe_share;
extern __shared__ uint16_t probe_room[];

PROBE(probe_empty) {
	Tile t = {probe_room};
	t.set(row, r, 1);
}

// Some planes of one column, outputs of its activations included.
template <bool BOTH, int PLANES>
DEVICE void probe_across(int row, int r) {
	const Share *w = &probe_share;
	const Tile tiles[2] = {{probe_room}, {probe_room + PLANES * SIDE * PITCH}};
	int v[PLANES + 2 * REACH];
	const int at = w->from(0, row, r);
#pragma unroll
	for (int k = 0; k < PLANES + 2 * REACH; k++) v[k] = output(old<false>(w, at + ((w->first + k) & (SIDE - 1)) * w->step[0]), true);
	across<BOTH, PLANES>(v, tiles, row, SIDE, r);
}

PROBE(probe_across_16) { probe_across<false, 16>(row, r); }
PROBE(probe_across_16_both) { probe_across<true, 16>(row, r); }
PROBE(probe_across_8) { probe_across<false, 8>(row, r); }
PROBE(probe_across_8_both) { probe_across<true, 8>(row, r); }

// The sums of whole columns, outputs included.
template <bool BOTH, int EACH>
DEVICE void probe_sums(int row, int r) {
	column_sums<false, BOTH, EACH>(&probe_share, Strip(&probe_share, row), r, (uint32_t *)probe_room + r);
}

PROBE(probe_sums_32) { probe_sums<false, 32>(row, r); }
PROBE(probe_sums_32_both) { probe_sums<true, 32>(row, r); }
PROBE(probe_sums_16) { probe_sums<false, 16>(row, r); }
PROBE(probe_sums_16_both) { probe_sums<true, 16>(row, r); }

// 32 rows of one column, or one row of 32 cells.
PROBE(probe_second) { down_column<false, false>(Tile{probe_room}, row, r); }
PROBE(probe_second_wide) { down_column<true, false>(Tile{probe_room}, row, r); }
PROBE(probe_third) { along_row<false, false>(Tile{probe_room}, row); }
PROBE(probe_third_wide) { along_row<true, false>(Tile{probe_room}, row); }

// Outputs into a tile, a cell of a channel that is not local along the first loop.
PROBE(probe_fill) {
	const Share *w = &probe_share;
	Tile{probe_room}.set(row, r, output(old<false>(w, w->from(row, row, r)), true));
}

// One cell of a channel that lacks nothing but noise, with one stimulus: a warp
// does a row.
template <int FLAGS, class Sums>
DEVICE void probe_cell(const Sums &sums, int row, int r) {
	Share *w = &probe_share;
	const Strand<false, Together<false>::N> s(w, Hood{-SIDE, SIDE, r - 1, r + 1}, row, row, r);
	Tally sum = {0, 0}, trail = {0, 0};
	bool bad = false;
	update(s, FLAGS, w->c, sums, &sum, &trail, row, &bad);
	w->sums[2][r] = sum.column + sum.plane + trail.column + trail.plane + bad;
}

PROBE(probe_update) {
	const Tile tiles[2] = {{probe_room}, {probe_room + 512 * PITCH}};
	probe_cell<ACTIVE | INHIBITED | PRESHAPED | ACROSS | DOWN | ALONG>(TileSums{tiles, row, SIDE, r}, row, r);
}
PROBE(probe_update_trailed) {
	const Tile tiles[2] = {{probe_room}, {probe_room + 512 * PITCH}};
	probe_cell<ACTIVE | INHIBITED | PRESHAPED | ACROSS | DOWN | ALONG | TRAILED>(TileSums{tiles, row, SIDE, r}, row, r);
}
PROBE(probe_update_column) {
	probe_cell<ACTIVE | INHIBITED | PRESHAPED | ACROSS>(ColumnSums{(uint32_t *)probe_room + row * EVOLVE_THREADS + r}, row, r);
}
PROBE(probe_linear) {
	const Tile tiles[2] = {{probe_room}, {probe_room}};
	probe_cell<0>(TileSums{tiles, row, SIDE, r}, row, r);
}

// One row of a memory trace, and of a map.
PROBE(probe_trace) {
	Share *w = &probe_share;
	const int i = w->cell(row, row, r);
	const float next = follow(w->k, true, mem->u[0][i], output(w->next[i], true));
	mem->u[1][i] = next;
	Tally sum = {0, 0};
	sum.note(output(next, false), row, r);
	w->sums[2][r] = sum.column + sum.plane;
}
PROBE(probe_display) {
	Share *w = &probe_share;
	const float v = w->f->obstacle[row * w->s.pack[0] + row * w->s.pack[1] + r * w->s.pack[2]];
	w->next[w->cell(row, row, r)] = v;
	Tally sum = {0, 0};
	sum.note(output(v, false), row, r);
	w->sums[2][r] = sum.column + sum.plane;
}

// What a block of the evolve pass does once.
PROBE(probe_share_of_block) {
	claim(mem, &probe_share);
	displaced(&probe_share);
	take(&probe_share);
	clear(&probe_share);
	publish(row, &probe_share, probe_share.sums);
}

// The tasks of the preparation.
PROBE_TASK(probe_maps) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(MapScratch, maps, 1);
	FIELDBRAIN_STATIC_SHARED(Walks, walks, 1);
	Input *in = (Input *)&room[0];
	prepare(mem, &maps[0]);
	update_maps(mem, in, &maps[0], &walks[0]);
	schedule(mem, in);
}
PROBE_TASK(probe_terms) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(Now, now, 1);
	FIELDBRAIN_STATIC_SHARED(Sorting, sorting, 1);
	FIELDBRAIN_STATIC_SHARED(Walks, walks, 1);
	Input *in = (Input *)&room[0];
	spots(mem, &sorting[0]);
	expect(mem, &now[0]);
	cue(mem, in);
	terms(mem, in, &sorting[0], &now[0], &walks[0]);
}
PROBE_TASK(probe_profiles) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(Arrival, arrival, 1);
	FIELDBRAIN_STATIC_SHARED(Walks, walks, 1);
	profile_terms(mem, (Input *)&room[0], arrival, &mem->tasks[row], &walks[0]);
}
PROBE_TASK(probe_walk) { // one step on both sides of a profile's centre
	double *side = (double *)probe_room, *to = side + r;
	double above = mul(side[0], side[1]), below = mul(side[2], side[3]);
	side[0] = above;
	side[1] = mul(side[1], side[4]);
	side[2] = below;
	side[3] = mul(side[3], side[4]);
	to[0] = above;
	to[row] = below;
}
PROBE_TASK(probe_couple) {
	FIELDBRAIN_STATIC_SHARED(int, bins, PLANE);
	couple(mem, &mem->tasks[row], bins);
}
PROBE_TASK(probe_displace) {
	FIELDBRAIN_STATIC_SHARED(uint64_t, room, sizeof(Input) / 8);
	FIELDBRAIN_STATIC_SHARED(Displacement, displacing, 1);
	displacement(mem, row, &displacing[0]);
	displace(mem, (Input *)&room[0], &mem->tasks[row], &displacing[0]);
}
PROBE_TASK(probe_settle) {
	FIELDBRAIN_STATIC_SHARED(Settling, room, 1);
	keep(mem, marginals(mem, &room[0]));
}
