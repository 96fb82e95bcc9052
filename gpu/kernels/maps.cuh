// The egocentric maps and the heading input (field/maps.go, field/heading.go).
//
//   cell' = keep (cell + hit min(1, 1.5 t) (1 - cell))    where an echo or edge of weight t is
//   cell' = keep (cell - clear g cell)                    where a beam of weight g saw through
//   S(x)  = min(min(pull, ceiling) - push, ceiling), at least -20
//
// Shapes: map[bearing][range], 32 x 32. Part of a block of K1: a thread per two cells, a
// warp per two bearings. Memory: 12 kB of maps read and written.
#ifndef FIELDBRAIN_MAPS_CUH
#define FIELDBRAIN_MAPS_CUH

#include "motion.cuh"

struct Rates {
	float hit, clear, visit, keep_obstacle, keep_hazard, keep_visited, max_range;
	bool obstacle, hazard, visited; // which maps there are
};

// Rows of profiles: those of the beams, across, then along, of goal and line.
enum { ALONG_ROW = MAX_BEAMS, GOAL_ROW = 2 * MAX_BEAMS, LINE_ROW, DRAWN };

enum { SPREAD = 7 }; // how blocked a bearing is by another, at distances of 0..6

// A Bearing is what the heading input at one bearing takes from elsewhere than the maps,
// read while these are computed.
struct Bearing {
	float ahead, behind, left, right, planned, on[SPREAD], off[SPREAD];
	bool central;
};

struct Place { // one cell of the three maps
	float obstacle, hazard, visited;
};

// Bearings of a warp, and those that warps which walk profiles leave to others to carry.
enum { BEARINGS = PLANE / PREP_THREADS, WALKING = 3, LENT = WALKING * BEARINGS };

struct MapScratch {
	Place lent[LENT][SIDE];
	Row edge_across[3], edge_along;
	Rates rates;
	HeadingParams weights;
	Row close, far; // of ranges, and which lie between
	bool between[SIDE];
	Row drawn[DRAWN]; // profiles
	uint32_t straight[MAX_BEAMS]; // bearings along which a beam looks, a bit each
	int32_t before[MAX_BEAMS];    // ranges that lie clearly before its echo
	Row on, off, danger, seen, blocked; // of bearings
	float obstacle[PLANE], hazard[PLANE], visited[PLANE]; // the maps of before
	Row near, sin, cos;
	Bearing at[SIDE];
	Row preferred; // bearings that are recalled
};

// carried returns the cell's values after the body's motion.
DEVICE Place carried(const MapScratch *m, float forward, float turn, int x, int y) {
	int i = x * SIDE + y;
	if (forward == 0 && turn == 0) return Place{m->obstacle[i], m->hazard[i], m->visited[i]};
	Shift s = shift_of(m->near, m->sin, m->cos, forward, turn, x, y);
	auto sample = [&](const float *m) -> float {
		auto old = [&](int x, int y) -> float { return y < 0 || y >= SIDE ? 0 : m[(x & (SIDE - 1)) * SIDE + y]; };
		return lerp(lerp(old(s.x, s.y), old(s.x + 1, s.y), s.wx),
					lerp(old(s.x, s.y + 1), old(s.x + 1, s.y + 1), s.wx), s.wy);
	};
	return Place{sample(m->obstacle), sample(m->hazard), sample(m->visited)};
}

// count_of is a number of the input's, within its array whatever a client wrote.
DEVICE int count_of(int64_t n, int most) { return n < 0 ? 0 : n > most ? most : (int)n; }

// straight is the set of bearings less than 1.2 bins away: of the four nearest.
DEVICE uint32_t straight(double bearing) {
	const int first = __double2int_rz(floor(bearing)) - 1;
	uint32_t set = 0;
	for (int i = 0; i < 4; i++) {
		const int x = (first + i) & (SIDE - 1);
		const double aside = wrap_bins(sub((double)x, bearing));
		if ((aside < 0 ? -aside : aside) < 1.2) set |= 1u << x;
	}
	return set;
}

// Warps that do something while the maps are carried: along beams, whose logarithms take
// longest, across beams, goal and line, four lanes a profile; the heading input; and those
// that fetch what cells need of the constants.
enum { ALONG_WARP, ACROSS_WARP, DRIVE_WARP, HEADING_WARP, EDGES_WARP, EDGE_ALONG_WARP = EDGES_WARP + 3, RATES_WARP, WEIGHTS_WARP, RANGES_WARP, MOTION_WARP, RECALL_WARP };
static_assert(LANES_OF_WALK * MAX_BEAMS <= SIDE && WALKING == DRIVE_WARP + 1 && WALKING + LENT <= PREP_THREADS / SIDE, "beams of a warp");

// profiles walks the beams' profiles and those of goal and line.
DEVICE void profiles(const Input *in, const Drive *d, MapScratch *m, Walks *walks) {
	const int warp = threadIdx.x / SIDE, n = threadIdx.x % SIDE / LANES_OF_WALK;
	if (warp > DRIVE_WARP) return;
	const Beam *beam = &in->beams[n];
	const bool one = threadIdx.x % LANES_OF_WALK == 0, real = n < (warp == DRIVE_WARP ? 2 : count_of(in->num_beams, MAX_BEAMS));
	double centre, sigma = 2;
	if (warp == ALONG_WARP) {
		centre = range_bin(clip(beam->range, 0.03f, 3));
		if (one) m->before[n] = __double2int_rz(ceil(sub(centre, 2.0))); // y < place - 2, for whole y
		sigma = 1.2;
	} else {
		centre = bearing_bin(warp == ACROSS_WARP ? beam->bearing : n == 0 ? d->goal : d->line);
	}
	if (warp == ACROSS_WARP) {
		const double width = __ddiv_rn((double)beam->half_width, BIN_ANGLE);
		if (one) m->straight[n] = straight(centre);
		sigma = width > 1 ? width : 1;
	}
	walk(walks, (warp == ALONG_WARP ? ALONG_ROW : warp == ACROSS_WARP ? 0 : GOAL_ROW) + n, real, centre, sigma, warp != ALONG_WARP);
}

// draw rounds what was walked: a warp a row.
DEVICE void draw(const Input *in, MapScratch *m, const Walks *walks) {
	const int cell = threadIdx.x % SIDE;
	for (int row = threadIdx.x / SIDE; row < DRAWN; row += blockDim.x / SIDE) {
		if (row >= GOAL_ROW || row % MAX_BEAMS < count_of(in->num_beams, MAX_BEAMS)) m->drawn[row][cell] = faded(walks->of[row].cell[cell]);
	}
}

// mark enters a hit of weight t: the cell goes towards 1.
DEVICE float mark(float cell, float rate, float t) {
	return add(cell, mul(mul(rate, lowest(1, mul(1.5f, t))), sub(1, cell)));
}

// rates leaves the constants of a cell's update in the block's own memory.
DEVICE void rates(const Constants *k, MapScratch *m) {
	const int warp = threadIdx.x / SIDE, lane = threadIdx.x % SIDE;
	if (warp >= EDGES_WARP && warp < EDGES_WARP + 3) m->edge_across[warp - EDGES_WARP][lane] = k->edge_across[warp - EDGES_WARP][lane];
	if (warp == EDGE_ALONG_WARP) m->edge_along[lane] = k->edge_along[lane];
	if (warp == WEIGHTS_WARP && lane < (int)(sizeof(HeadingParams) / 4)) ((float *)&m->weights)[lane] = ((const float *)&k->heading)[lane];
	if (warp == RANGES_WARP) {
		const float close = k->close[lane], far = k->far[lane];
		const bool between = k->between[lane];
		m->close[lane] = close;
		m->far[lane] = far;
		m->between[lane] = between;
	}
	if (warp == MOTION_WARP) {
		const float near = k->near[lane], sin = k->sin[lane], cos = k->cos[lane];
		m->near[lane] = near;
		m->sin[lane] = sin;
		m->cos[lane] = cos;
	}
	if (warp != RATES_WARP || lane != 0) return;
	m->rates = Rates{k->hit, k->clear, k->visit, k->keep_obstacle, k->keep_hazard, k->keep_visited, k->max_range,
					 k->channels[OBST_MAP].kind == MAPPING, k->channels[HAZARD_MAP].kind == MAPPING, k->channels[VISITED_MAP].kind == MAPPING};
}

// enter enters one beam: it marks the echo's place and clears the cells before it.
DEVICE float enter(const Rates &k, const MapScratch *m, const Beam *beam, int n, int x, int y, float cell) {
	float sum = add(add(beam->bearing, beam->range), beam->half_width), gx = m->drawn[n][x];
	if (sub(sum, sum) != 0 || gx < 0.05f) return cell;
	float t = mul(gx, m->drawn[ALONG_ROW + n][y]);
	if (beam->range < k.max_range && t > 0.35f) cell = mark(cell, k.hit, t);
	if ((m->straight[n] >> x & 1) && y < m->before[n])
		cell = sub(cell, mul(mul(k.clear, gx), cell));
	return cell;
}

// sense enters all of a tick's beams and edges at a warp's bearings, side by side, and lets
// the maps fade.
DEVICE void sense(const MapScratch *m, const Input *in, Place *p) {
	const Rates &k = m->rates;
	const int y = threadIdx.x % SIDE, x = threadIdx.x / SIDE;
	enum { APART = PREP_THREADS / SIDE };
	const int beams = count_of(in->num_beams, MAX_BEAMS);
#pragma unroll 1
	for (int n = 0; n < beams; n++) {
#pragma unroll
		for (int j = 0; j < BEARINGS; j++) p[j].obstacle = enter(k, m, &in->beams[n], n, x + j * APART, y, p[j].obstacle);
	}
	for (int i = 0; i < 3; i++) {
		if (!in->edges[i]) continue;
#pragma unroll
		for (int j = 0; j < BEARINGS; j++) {
			const float t = mul(m->edge_across[i][x + j * APART], m->edge_along[y]);
			if (t > 0.35f) p[j].hazard = mark(p[j].hazard, k.hit, t);
		}
	}
#pragma unroll
	for (int j = 0; j < BEARINGS; j++) {
		if (y < 10) p[j].visited = add(p[j].visited, mul(k.visit, sub(1, p[j].visited)));
		p[j].obstacle = k.obstacle ? settle(mul(p[j].obstacle, k.keep_obstacle)) : 0;
		p[j].hazard = k.hazard ? settle(mul(p[j].hazard, k.keep_hazard)) : 0;
		p[j].visited = k.visited ? settle(mul(p[j].visited, k.keep_visited)) : 0;
	}
}

DEVICE float weight_of(float w, float angle) {
	return sub(angle, angle) != 0 ? 0 : highest(limited(w, 1), 0);
}

// bounded is field.Drive.bounded: weights in 0..1, absent parts at 0.
DEVICE Drive bounded(Drive d) {
	d.goal_weight = weight_of(d.goal_weight, d.goal);
	d.line_weight = weight_of(d.line_weight, d.line);
	d.memory = weight_of(d.memory, d.side);
	d.close = weight_of(d.close, 0);
	if (d.goal_weight == 0) d.goal = 0;
	if (d.line_weight == 0) d.line = 0;
	return d;
}

// block_of is O(x), how blocked bearing x is, by its own obstacles and those of
// the bearings beside it.
DEVICE float block_of(const Bearing &at, const MapScratch *m, int x) {
	float best = 0;
#pragma unroll
	for (int i = 1 - SPREAD; i < SPREAD; i++) {
		const int from = (x + i) & (SIDE - 1), d = i < 0 ? -i : i;
		best = highest(best, highest(mul(at.on[d], m->on[from]), mul(at.off[d], m->off[from])));
	}
	return best;
}

// preference is the recalled preference for bearing x: with a library the activation,
// so that a punished way repels.
DEVICE float preference(const Memory *mem, int x) {
	const Constants *k = mem->constants;
	const int i = x * stride(&k->channels[HEAD_PREF], AXIS_X);
	if (k->recall.match) return clip(activation(mem, HEAD_PREF, i), -1, 1);
	return mul((float)present(mem, HEAD_PREF, i), 1.0f / ONE);
}

// bearing reads what the heading input needs at bearing x, but for what is recalled.
DEVICE Bearing bearing(const Memory *mem, int x) {
	const Constants *k = mem->constants;
	Bearing at;
	at.planned = mul((float)present(mem, PLAN_HEAD, x * stride(&k->channels[PLAN_HEAD], AXIS_X)), 1.0f / ONE);
	at.ahead = k->ahead[x];
	at.behind = k->behind[x];
	at.left = k->left30[x];
	at.right = k->right30[x];
	at.central = k->central[x];
#pragma unroll
	for (int i = 0; i < SPREAD; i++) {
		at.on[i] = k->spread_on[i];
		at.off[i] = k->spread_off[i];
	}
	return at;
}

// heading_input is S of the HEADING channel at bearing x; a whole warp calls it.
DEVICE float heading_input(const HeadingParams *p, const Bearing &at, const MapScratch *m, const Drive *d, int x) {
	float least_blocked = warp_least(at.central ? m->blocked[x] : 3.40282346638528859811704183484516925440e+38f);
	float fresh = warp_least(m->seen[x]);
	float over = sub(m->blocked[x], mul(p->baseline, least_blocked));
	float free = clip(sub(1, over), 0, 1);
	float pull = mul(d->on_line ? p->on_line : p->forward, at.ahead);
	pull = add(pull, mul(mul(p->goal, d->goal_weight), m->drawn[GOAL_ROW][x]));
	pull = add(pull, mul(mul(p->line, d->line_weight), m->drawn[LINE_ROW][x]));
	pull = add(pull, mul(mul(p->memory, d->memory), d->side < 0 ? at.right : at.left));
	pull = add(pull, mul(add(mul(p->recall, m->preferred[x]), mul(p->plan, at.planned)), free));
	float push = mul(mul(p->repel, sub(1, d->close)), over);
	push = add(push, mul(p->revisit, sub(m->seen[x], fresh)));
	push = add(push, mul(p->behind, at.behind));
	push = add(push, mul(p->hazard, m->danger[x]));
	return highest(lowest(sub(lowest(pull, p->ceiling), push), p->ceiling), -20);
}

// prepare brings everything that the maps need besides the input into the block's own
// memory, while the input is under way; fetch waits for all. Here and in all that others
// wait for: first everything is read, then it is stored, since a read behind a store waits
// for whatever that waits for.
DEVICE void prepare(const Memory *mem, MapScratch *m) {
	const Frame *f = mem->frame;
	const int warp = threadIdx.x / SIDE, y = threadIdx.x % SIDE;
	float obstacle[BEARINGS], hazard[BEARINGS], visited[BEARINGS];
#pragma unroll
	for (int n = 0; n < BEARINGS; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		obstacle[n] = f->obstacle[i];
		hazard[n] = f->hazard[i];
		visited[n] = f->visited[i];
	}
	rates(mem->constants, m);
	if (warp == HEADING_WARP) m->at[y] = bearing(mem, y);
	if (warp == RECALL_WARP) m->preferred[y] = preference(mem, y);
#pragma unroll
	for (int n = 0; n < BEARINGS; n++) {
		const int i = threadIdx.x + n * PREP_THREADS;
		m->obstacle[i] = obstacle[n];
		m->hazard[i] = hazard[n];
		m->visited[i] = visited[n];
	}
	__syncthreads();
}

// fade computes the maps at the bearings of a thread's warp, and how blocked these are.
DEVICE void fade(const Memory *mem, const Input *in, MapScratch *m, Place *p) {
	Frame *f = mem->frame;
	const int y = threadIdx.x % SIDE;
	const float close = m->close[y], far = m->far[y];
	const bool between = m->between[y];
	sense(m, in, p);
#pragma unroll
	for (int n = 0; n < BEARINGS; n++) {
		const int x = threadIdx.x / SIDE + n * (PREP_THREADS / SIDE), i = x * SIDE + y;
		const Place &now = p[n];
		f->obstacle[i] = now.obstacle;
		f->hazard[i] = now.hazard;
		f->visited[i] = now.visited;
		const float on = warp_most(highest(0, mul(close, now.obstacle))), off = warp_most(highest(0, mul(far, now.obstacle)));
		const float hazard = warp_most(highest(0, mul(far, now.hazard))), visited = warp_most(between ? highest(0, now.visited) : 0);
		if (y != 0) continue;
		m->on[x] = on;
		m->off[x] = off;
		m->danger[x] = hazard;
		m->seen[x] = visited;
	}
}

// update_maps carries the maps through one tick and computes the heading input.
DEVICE void update_maps(const Memory *mem, const Input *in, MapScratch *m, Walks *walks) {
	Frame *f = mem->frame;
	const int warp = threadIdx.x / SIDE, y = threadIdx.x % SIDE;
	const float forward = limited(in->forward, 1), turn = limited(in->turn, (float)(2 * PI));
	Drive d = bounded(in->drive);
	profiles(in, &d, m, walks);
	enum { APART = PREP_THREADS / SIDE };
	Place p[BEARINGS];
	const int lent = warp - WALKING; // the first bearings belong to warps that walk
	if (lent >= 0) {
#pragma unroll
		for (int n = 0; n < BEARINGS; n++) p[n] = carried(m, forward, turn, warp + n * APART, y);
		if (lent < LENT) m->lent[lent][y] = carried(m, forward, turn, lent / BEARINGS + lent % BEARINGS * APART, y);
	}
	__syncthreads(); // all profiles are walked
	if (lent < 0) {
#pragma unroll
		for (int n = 0; n < BEARINGS; n++) p[n] = m->lent[warp * BEARINGS + n][y];
	}
	draw(in, m, walks);
	__syncthreads();
	stamp(mem, STAMP_PREP, 3);
	fade(mem, in, m, p);
	__syncthreads();
	stamp(mem, STAMP_PREP, 4);
	if (warp != HEADING_WARP) return;
	f->blocked[y] = m->blocked[y] = block_of(m->at[y], m, y);
	__syncwarp();
	f->heading[y] = f->rows[MAX_TERMS][0][y] = heading_input(&m->weights, m->at[y], m, &d, y);
}

#endif
