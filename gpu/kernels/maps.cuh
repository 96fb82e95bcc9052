// The egocentric maps and the heading input (field/maps.go, field/heading.go).
//
//   cell' = keep (cell + hit min(1, 1.5 t) (1 - cell))    where an echo or edge of weight t is
//   cell' = keep (cell - clear g cell)                    where a beam of weight g saw through
//   S(x)  = min(min(pull, ceiling) - push, ceiling), at least -20
//
// Shapes: map[bearing][range], 32 x 32. Part of a block of K1: a thread per cell, a
// warp per bearing. Memory: 12 kB of maps read and written.
#ifndef FIELDBRAIN_MAPS_CUH
#define FIELDBRAIN_MAPS_CUH

#include "motion.cuh"

struct MapScratch {
	Row across[MAX_BEAMS], along[MAX_BEAMS], goal, line;
	uint32_t straight[MAX_BEAMS]; // bearings along which a beam looks, a bit each
	int32_t before[MAX_BEAMS];    // ranges that lie clearly before its echo
	Row on, off, hazard, visited, blocked;
};

struct Place { // one cell of the three maps
	float obstacle, hazard, visited;
};

// carried returns the cell's values after the body's motion.
DEVICE Place carried(const Memory *mem, const Input *in, int x, int y) {
	const Frame *f = mem->frame;
	float forward = limited(in->forward, 1), turn = limited(in->turn, (float)(2 * PI));
	int i = x * SIDE + y;
	if (forward == 0 && turn == 0) return Place{f->obstacle[i], f->hazard[i], f->visited[i]};
	Shift s = shift_of(mem->constants, forward, turn, x, y);
	auto sample = [&](const float *m) -> float {
		auto old = [&](int x, int y) -> float { return y < 0 || y >= SIDE ? 0 : m[(x & (SIDE - 1)) * SIDE + y]; };
		return lerp(lerp(old(s.x, s.y), old(s.x + 1, s.y), s.wx),
					lerp(old(s.x, s.y + 1), old(s.x + 1, s.y + 1), s.wx), s.wy);
	};
	return Place{sample(f->obstacle), sample(f->hazard), sample(f->visited)};
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

// Lanes of the first warp: those of beams, across, then of goal and line. Those of the
// second look along the beams: logarithms take longest.
enum { GOAL_LANE = MAX_BEAMS, LINE_LANE };

// profiles draws the beams' profiles and those of goal and line, in the lanes of two
// warps.
DEVICE void profiles(const Input *in, const Drive *d, MapScratch *m) {
	const int lane = threadIdx.x % SIDE;
	const bool along = threadIdx.x >= SIDE;
	if (threadIdx.x >= 2 * SIDE || lane > (along ? MAX_BEAMS - 1 : (int)LINE_LANE)) return;
	if (lane < MAX_BEAMS && lane >= count_of(in->num_beams, MAX_BEAMS)) return;
	const Beam *beam = &in->beams[lane % MAX_BEAMS];
	const int n = lane % MAX_BEAMS;
	float *row = along ? m->along[n] : lane == GOAL_LANE ? m->goal : lane == LINE_LANE ? m->line : m->across[n];
	double centre, sigma = 2;
	if (along) {
		centre = range_bin(clip(beam->range, 0.03f, 3));
		m->before[n] = __double2int_rz(ceil(sub(centre, 2.0))); // y < place - 2, for whole y
		sigma = 1.2;
	} else {
		centre = bearing_bin(lane == GOAL_LANE ? d->goal : lane == LINE_LANE ? d->line : beam->bearing);
	}
	if (!along && lane < MAX_BEAMS) {
		const double width = __ddiv_rn((double)beam->half_width, BIN_ANGLE);
		m->straight[n] = straight(centre);
		sigma = width > 1 ? width : 1;
	}
	gaussian(row, centre, sigma, !along);
}

// mark enters a hit of weight t: the cell goes towards 1.
DEVICE float mark(float cell, float rate, float t) {
	return add(cell, mul(mul(rate, lowest(1, mul(1.5f, t))), sub(1, cell)));
}

// enter enters one beam: it marks the echo's place and clears the cells before it.
DEVICE float enter(const Constants *k, const MapScratch *m, const Beam *beam, int n, int x, int y, float cell) {
	float sum = add(add(beam->bearing, beam->range), beam->half_width), gx = m->across[n][x];
	if (sub(sum, sum) != 0 || gx < 0.05f) return cell;
	float t = mul(gx, m->along[n][y]);
	if (beam->range < k->max_range && t > 0.35f) cell = mark(cell, k->hit, t);
	if ((m->straight[n] >> x & 1) && y < m->before[n])
		cell = sub(cell, mul(mul(k->clear, gx), cell));
	return cell;
}

// sensed enters all of a tick's beams and edges and lets the maps fade.
DEVICE Place sensed(const Constants *k, const MapScratch *m, const Input *in, int x, int y, Place p) {
	for (int n = 0; n < count_of(in->num_beams, MAX_BEAMS); n++) p.obstacle = enter(k, m, &in->beams[n], n, x, y, p.obstacle);
	for (int i = 0; i < 3; i++) {
		float t = mul(k->edge_across[i][x], k->edge_along[y]);
		if (in->edges[i] && t > 0.35f) p.hazard = mark(p.hazard, k->hit, t);
	}
	if (y < 10) p.visited = add(p.visited, mul(k->visit, sub(1, p.visited)));
	p.obstacle = settle(mul(p.obstacle, k->keep_obstacle));
	p.hazard = settle(mul(p.hazard, k->keep_hazard));
	p.visited = settle(mul(p.visited, k->keep_visited));
	if (k->channels[OBST_MAP].kind != MAPPING) p.obstacle = 0;
	if (k->channels[HAZARD_MAP].kind != MAPPING) p.hazard = 0;
	if (k->channels[VISITED_MAP].kind != MAPPING) p.visited = 0;
	return p;
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

enum { SPREAD = 7 }; // how blocked a bearing is by another, at distances of 0..6

// A Bearing is what the heading input at one bearing takes from elsewhere than the maps,
// read while these are computed.
struct Bearing {
	float ahead, behind, side, planned, preferred, on[SPREAD], off[SPREAD];
	bool central;
};

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

// bearing reads what the heading input needs at bearing x.
DEVICE Bearing bearing(const Memory *mem, const Drive *d, int x) {
	const Constants *k = mem->constants;
	Bearing at;
	at.planned = mul((float)present(mem, PLAN_HEAD, x * stride(&k->channels[PLAN_HEAD], AXIS_X)), 1.0f / ONE);
	at.preferred = preference(mem, x);
	at.ahead = k->ahead[x];
	at.behind = k->behind[x];
	at.side = d->side < 0 ? k->right30[x] : k->left30[x];
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
	float fresh = warp_least(m->visited[x]);
	float over = sub(m->blocked[x], mul(p->baseline, least_blocked));
	float free = clip(sub(1, over), 0, 1);
	float pull = mul(d->on_line ? p->on_line : p->forward, at.ahead);
	pull = add(pull, mul(mul(p->goal, d->goal_weight), m->goal[x]));
	pull = add(pull, mul(mul(p->line, d->line_weight), m->line[x]));
	pull = add(pull, mul(mul(p->memory, d->memory), at.side));
	pull = add(pull, mul(add(mul(p->recall, at.preferred), mul(p->plan, at.planned)), free));
	float push = mul(mul(p->repel, sub(1, d->close)), over);
	push = add(push, mul(p->revisit, sub(m->visited[x], fresh)));
	push = add(push, mul(p->behind, at.behind));
	push = add(push, mul(p->hazard, m->hazard[x]));
	return highest(lowest(sub(lowest(pull, p->ceiling), push), p->ceiling), -20);
}

enum { HEADING_WARP = 2 }; // which has nothing to draw

// update_maps carries the maps through one tick and computes the heading input.
DEVICE void update_maps(const Memory *mem, const Input *in, MapScratch *m) {
	const Constants *k = mem->constants;
	Frame *f = mem->frame;
	int x = threadIdx.x / SIDE, y = threadIdx.x % SIDE;
	Drive d = bounded(in->drive);
	const float close = k->close[y], far = k->far[y];
	const bool between = k->between[y];
	profiles(in, &d, m);
	Bearing at;
	HeadingParams weights;
	if (x == HEADING_WARP) {
		at = bearing(mem, &d, y);
		weights = k->heading;
	}
	Place p = carried(mem, in, x, y);
	__syncthreads(); // all old cells are read, all profiles drawn
	p = sensed(k, m, in, x, y, p);
	f->obstacle[threadIdx.x] = p.obstacle;
	f->hazard[threadIdx.x] = p.hazard;
	f->visited[threadIdx.x] = p.visited;
	float on = warp_most(highest(0, mul(close, p.obstacle)));
	float off = warp_most(highest(0, mul(far, p.obstacle)));
	float hazard = warp_most(highest(0, mul(far, p.hazard)));
	float visited = warp_most(between ? highest(0, p.visited) : 0);
	if (y == 0) {
		m->on[x] = on;
		m->off[x] = off;
		m->hazard[x] = hazard;
		m->visited[x] = visited;
	}
	__syncthreads();
	if (x != HEADING_WARP) return;
	f->blocked[y] = m->blocked[y] = block_of(at, m, y);
	__syncwarp();
	f->heading[y] = f->rows[MAX_TERMS][0][y] = heading_input(&weights, at, m, &d, y);
}

#endif
