// The planner's kernels: scan insertion and expected information of package
// brain/belief, the bicycle of package brain/plan, bit for bit. One job is some
// of them, one after the other, on a stream of low priority; no block is long, so
// that a tick's blocks take over soon. Along a ray, in Q15, with p and H of a cell's
// class:
//
//   gain += reach H        reach' = reach (1 - p)        until reach < 1/128
//
// Shapes: grid[34][34][34] log-odds, int8, z fastest, the border included; sets of
// cells, a bit each; gains[pose][row][azimuth]. Memory: 39 kB of classes per block of
// fans, in shared memory; 4 bytes written per ray.
//
//	take       what the job brings into the planner and the grid; it lies in the device's
//	           memory by then, copied: thousands of single reads of the page, many of them
//	           of the same words, took 130 us on an H200
//	propagate  thirteen actions, a thread each
//	mark       rays of a scan: sets of cells, the stronger mark wins
//	apply      moves every marked cell once and empties the sets
//	fans       13 x 4096 rays in one launch, a thread each
//	planned    sums them up, all into the page, and last the job's number
#ifndef FIELDBRAIN_PLAN_CUH
#define FIELDBRAIN_PLAN_CUH

#include "cells.cuh"

enum { FAN_THREADS = FAN_ROWS * PLAN_COLUMNS, FAN_BLOCKS = PLAN_ROWS / FAN_ROWS };
enum { GRID_WORDS = PLAN_CELLS / 4, FAINT_REACH = PLAN_ONE / 128 + 1 };

DEVICE bool has(const Planner *p, uint32_t part) { return (p->parts & part) != 0; }

// axis_of is the coordinate of a cell along one axis.
DEVICE int axis_of(int at, int axis) { return axis == 0 ? at / (PLAN_PADDED * PLAN_PADDED) : axis == 1 ? at / PLAN_PADDED % PLAN_PADDED : at % PLAN_PADDED; }

DEVICE bool on_border(int at) {
	for (int i = 0; i < 3; i++) {
		int c = axis_of(at, i);
		if (c == 0 || c == PLAN_PADDED - 1) return true;
	}
	return false;
}

// sane clips four cells to the range of a belief: a ray that met no border would
// leave the grid.
DEVICE uint32_t sane(uint32_t word, int at) {
	uint32_t out = 0;
	for (int i = 0; i < 4; i++) {
		int odds = (int8_t)(word >> (8 * i));
		odds = on_border(at + i) ? PLAN_BORDER : odds < -PLAN_LIMIT ? -PLAN_LIMIT : odds > PLAN_LIMIT ? PLAN_LIMIT : odds;
		out |= (uint32_t)(uint8_t)odds << (8 * i);
	}
	return out;
}

extern "C" __global__ void __launch_bounds__(TAKE_THREADS) fieldbrain_take(Planner *p) {
	const PlanJob *job = p->job;
	const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	const uint32_t parts = job->parts;
	if (i == 0) {
		p->sequence = job->sequence;
		p->parts = parts;
		p->num_fans = job->num_fans;
		p->ticket = 0;
	}
	for (int n = i; n < (int)(sizeof p->fans / 4); n += all) ((int32_t *)p->fans)[n] = ((const int32_t *)job->fans)[n];
	for (int n = i; n < PLAN_SEEN; n += all) p->seen[n] = parts & PLAN_TAKES_SEEN ? job->seen[n] : 0;
	if (!(parts & PLAN_TAKES_GRID)) return;
	const uint32_t *grid = (const uint32_t *)job->grid;
	for (int n = i; n < GRID_WORDS; n += all) p->belief->odds[n] = sane(grid[n], 4 * n);
}

// An Axis is a ray along one axis: t of its next crossing, t per cell, and the
// step of the index. d is the signed t per cell, part how far into the cell it
// begins.
struct Axis {
	int t, per, by;
	DEVICE_MEMBER Axis(int d, int part, int step) {
		t = d > 0 ? (d * (1024 - part)) >> 10 : (-d * part) >> 10;
		per = d > 0 ? d : -d;
		by = d > 0 ? step : -step;
	}
};

// A Ray enters one cell after the other; the earlier axis on a tie.
struct Ray {
	Axis x, y, z;
	int at;
	DEVICE_MEMBER Ray(const int d[3], const int part[3], int from)
		: x(d[0], part[0], PLAN_PADDED * PLAN_PADDED), y(d[1], part[1], PLAN_PADDED), z(d[2], part[2], 1), at(from) {}
	DEVICE_MEMBER int next() const {
		int t = x.t < y.t ? x.t : y.t;
		return t < z.t ? t : z.t;
	}
	DEVICE_MEMBER void step() {
		if (x.t <= y.t && x.t <= z.t) {
			at += x.by;
			x.t += x.per;
		} else if (y.t <= z.t) {
			at += y.by;
			y.t += y.per;
		} else {
			at += z.by;
			z.t += z.per;
		}
	}
};

// look_up reads the t per cell of a ray.
DEVICE void look_up(const Rays *rays, int row, int azimuth, int d[3]) {
	for (int i = 0; i < 3; i++) d[i] = rays->directions[i][row][azimuth];
}

// leaves is the t at which a ray enters the border along one axis; cell is its
// coordinate, 1..32.
DEVICE int leaves(int d, int part, int cell) {
	if (d > 0) return ((d * (1024 - part)) >> 10) + (PLAN_PADDED - 2 - cell) * d;
	return ((-d * part) >> 10) - (cell - 1) * d;
}

// put adds a cell to a set.
DEVICE void put(uint32_t *set, int at) { atomicOr(&set[at >> 5], 1u << (at & 31)); }

// mark_ray marks the cells that a ray enters before t = until, and the one in which
// it ends unless that lies outside.
DEVICE void mark_ray(Belief *b, const PlanOrigin *o, const int d[3], int until, int end, int echo) {
	int out = leaves(d[0], o->part[0], axis_of(o->at, 0));
	for (int i = 1; i < 3; i++) {
		int t = leaves(d[i], o->part[i], axis_of(o->at, i));
		out = t < out ? t : out;
	}
	const int last = end < out ? end : out;
	Ray ray(d, o->part, o->at);
	for (int t = 0;;) {
		if (t < until) put(b->marks[MARK_FREE], ray.at);
		t = ray.next();
		if (t >= last) break;
		ray.step();
	}
	if (out > end && echo >= MARK_ARC && echo < MARKS) put(b->marks[echo], ray.at);
}

// fieldbrain_mark has a block per row of the scan, a thread per ray.
extern "C" __global__ void __launch_bounds__(PLAN_COLUMNS) fieldbrain_mark(Planner *p) {
	const PlanScan *s = &p->job->scan;
	const int row = blockIdx.x, c = threadIdx.x;
	if (s->rows[row] == 0) return;
	const int end = s->end[row][c];
	if (end <= 0) return;
	PlanOrigin o;
	o.at = s->origin.at;
	for (int i = 0; i < 3; i++) o.part[i] = s->origin.part[i];
	int d[3];
	look_up(p->rays, row, s->first + c, d);
	mark_ray(p->belief, &o, d, s->free[row][c], end, s->echo[row][c]);
}

// fieldbrain_apply has a thread per cell, so that a warp has a word of the sets.
extern "C" __global__ void __launch_bounds__(TAKE_THREADS) fieldbrain_apply(Planner *p) {
	const int weights[MARKS] = MARK_WEIGHTS;
	const int at = blockIdx.x * blockDim.x + threadIdx.x, word = at / 32;
	if (word >= PLAN_SEEN) return; // all of a warp
	Belief *b = p->belief;
	int mark = 0;
	for (int m = MARK_FREE; m < MARKS; m++)
		if (b->marks[m][word] >> (at & 31) & 1) mark = m;
	if (mark != 0) { // never in the last word's rest: no ray marks the border
		int8_t *odds = (int8_t *)b->odds + at;
		int v = *odds + weights[mark];
		*odds = (int8_t)(v < -PLAN_LIMIT ? -PLAN_LIMIT : v > PLAN_LIMIT ? PLAN_LIMIT : v);
	}
	__syncwarp();
	if (at % 32 < MARKS) b->marks[at % 32][word] = 0;
}

// A Look is the gain of one ray and the number of cells that it looks at, the border
// included.
struct Look {
	int gain, visits;
};

// product multiplies two Q15 values, rounded.
DEVICE int product(int a, int b) { return (a * b + (1 << 14)) >> 15; }

// cast follows a ray through the classes of the grid until hardly anything of it
// is left.
DEVICE Look cast(const uint8_t *classes, const uint32_t *entries, Ray ray) {
	Look sum = {0, 0};
	for (int reach = PLAN_ONE; reach >= FAINT_REACH; sum.visits++) {
		const uint32_t e = entries[classes[ray.at]];
		sum.gain += product(reach, (int)(e >> 16));
		reach = product(reach, (int)(e & 0xffff));
		ray.step();
	}
	return sum;
}

// classes_of makes four classes of four cells; one that counts as known has 32
// added, and then no entropy.
DEVICE uint32_t classes_of(uint32_t odds, uint32_t seen) {
	uint32_t known = (seen & 15) * 0x00204081u & 0x01010101u;
	return (((odds ^ 0x80808080u) + 0x04040404u) >> 3 & 0x1f1f1f1fu) | known << 5;
}

// row_of is the n-th row of a fan; adaptive ones take them spread over all
// elevations.
DEVICE int row_of(const PlanFan *f, int n) {
	if (f->stride != 0) return f->row + n * f->stride;
	return (n >> 4 & 1) | (n >> 2 & 2) | (n & 4) | (n << 2 & 8) | (n << 4 & 16);
}

// fieldbrain_fans has a block per four rows of a pose.
extern "C" __global__ void __launch_bounds__(FAN_THREADS) fieldbrain_fans(Planner *p) {
	FIELDBRAIN_STATIC_SHARED(uint32_t, classes, GRID_WORDS);
	FIELDBRAIN_STATIC_SHARED(uint32_t, entries, 64);
	const int pose = blockIdx.x / FAN_BLOCKS, n = blockIdx.x % FAN_BLOCKS * FAN_ROWS + threadIdx.x / PLAN_COLUMNS;
	const PlanFan *f = &p->fans[pose];
	if (pose >= p->num_fans || blockIdx.x % FAN_BLOCKS * FAN_ROWS >= f->count) return; // all of a block
	for (int i = threadIdx.x; i < GRID_WORDS; i += blockDim.x)
		classes[i] = classes_of(p->belief->odds[i], p->seen[i >> 3] >> (4 * (i & 7)));
	if (threadIdx.x < 64) entries[threadIdx.x] = p->rays->entries[threadIdx.x];
	__syncthreads();
	if (n >= f->count) return; // all of a warp
	const int c = threadIdx.x % PLAN_COLUMNS;
	int d[3];
	look_up(p->rays, row_of(f, n), f->first + c, d);
	const Look sum = cast((const uint8_t *)classes, entries, Ray(d, f->origin.part, f->origin.at));
	p->gains[pose][n][c] = sum.gain;
	const int visits = warp_sum(sum.visits);
	if (c % 32 == 0) p->visits[pose][n][c / 32] = visits;
}

// looked is how many cells the n-th row of a fan looked at.
DEVICE int looked(const Planner *p, int pose, int n) {
	int sum = 0;
	for (int i = 0; i < PLAN_COLUMNS / 32; i++) sum += p->visits[pose][n][i];
	return sum;
}

// wanted is how many rows of a fan count: where rays end near there are few cells
// to tell apart and few rays do.
DEVICE int wanted(const Planner *p, int pose) {
	const PlanFan *f = &p->fans[pose];
	if (f->stride != 0) return f->count;
	int visits = 0;
	for (int n = 0; n < PLAN_FIRST; n++) visits += looked(p, pose, n);
	const int rows = 2 * (visits / (PLAN_FIRST * PLAN_COLUMNS));
	return rows < PLAN_FIRST ? PLAN_FIRST : rows > f->count ? f->count : rows;
}

// reduce sums the rays of one pose up, a thread per azimuth.
DEVICE void reduce(const Planner *p, int pose, unsigned long long *total) {
	volatile PlanGain *to = &p->answer->fans[pose];
	const int c = threadIdx.x, rows = wanted(p, pose);
	if (c == 0) *total = 0;
	__syncthreads();
	int gain = 0;
	for (int n = 0; n < rows; n++) gain += p->gains[pose][n][c];
	to->gain[c] = gain;
	atomicAdd(total, (unsigned long long)gain);
	__syncthreads();
	if (c != 0) return;
	int visits = 0;
	for (int n = 0; n < rows; n++) visits += looked(p, pose, n);
	to->visits = visits;
	to->total = (int64_t)*total;
	to->rows = rows;
}

// fieldbrain_planned has a block per pose and some for the grid. Whichever block
// is the last one says that the answer is there.
extern "C" __global__ void __launch_bounds__(PLAN_COLUMNS) fieldbrain_planned(Planner *p) {
	FIELDBRAIN_STATIC_SHARED(unsigned long long, total, 1);
	const int give = (int)blockIdx.x - PLAN_POSES;
	if (give < 0) {
		if ((int)blockIdx.x < p->num_fans) reduce(p, blockIdx.x, total);
	} else if (has(p, PLAN_GIVES_GRID)) {
		volatile uint32_t *to = (volatile uint32_t *)p->answer->grid;
		for (int i = give * blockDim.x + threadIdx.x; i < GRID_WORDS; i += GIVE_BLOCKS * blockDim.x) to[i] = p->belief->odds[i];
	}
	__syncthreads(); // every thread's part of the answer is written
	if (threadIdx.x != 0) return;
	__threadfence_system(); // all of the block's, seen through the barrier, before its ticket
	if (atomicAdd(&p->ticket, 1u) + 1 != gridDim.x) return;
	__threadfence_system(); // and the other blocks', seen through their tickets, before the word
	p->answer->sequence = p->sequence;
	__threadfence_system(); // and the number before the word
	*p->planned = p->sequence;
}

#endif
