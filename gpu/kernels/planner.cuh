// The memory that the planner's kernels share with Go and with each other; see
// types.cuh for the marks.
#ifndef FIELDBRAIN_PLANNER_CUH
#define FIELDBRAIN_PLANNER_CUH

#include <stdint.h>

// The shape of the belief's grid and rays (brain/belief).
enum { POSES = 13, PLAN_STEPS = 20, PLAN_MARKS = 5, RAY_ROWS = 32, RAY_COLUMNS = 128, RAY_WIDE = 256 + RAY_COLUMNS };
enum { PADDED = 34, GRID_CELLS = PADDED * PADDED * PADDED, GRID_WORDS = GRID_CELLS / 4, SEEN_WORDS = (GRID_CELLS + 31) / 32 };
enum { ODDS_LIMIT = 123, ODDS_BORDER = -128, REACH_ONE = 32767, REACH_FAINT = REACH_ONE / 128 + 1, CELL_T = 4096 };
enum { ADAPTIVE_FIRST = 4 }; // rows after which an adaptive fan knows how many it takes
enum { TAKES_GRID = 1, TAKES_SEEN = 2, TAKES_SCAN = 4, TAKES_MOTION = 8, GIVES_GRID = 16 };
enum { MARK_FREE = 1, MARK_ARC, MARK_HIT, MARKS }; // the stronger the higher

struct Origin { // [Go] gpu.PlanOrigin
	int32_t at, part[3];
};

struct Fan { // [Go] gpu.PlanFan
	Origin origin;
	int32_t first, row, stride, count;
};

struct AxleState { // [Go] gpu.PlanState
	float x, y, heading, speed, steering;
};

struct Motion { // [Go] gpu.PlanMotion
	AxleState from;
	float cos, sin, grip, slew, curve, ahead;
	float angles[POSES], speeds[POSES], slopes[POSES];
};

struct Scan { // [Go] gpu.PlanScan
	Origin origin;
	int32_t first, rows[RAY_ROWS];
	int32_t free[RAY_ROWS][RAY_COLUMNS], end[RAY_ROWS][RAY_COLUMNS];
	uint8_t echo[RAY_ROWS][RAY_COLUMNS];
};

struct PlanJob { // [Go] gpu.PlanJob
	uint64_t sequence;
	uint32_t parts;
	int32_t num_fans;
	Fan fans[POSES];
	Motion motion;
	Scan scan;
	uint32_t seen[SEEN_WORDS];
	int8_t grid[GRID_CELLS];
};

struct Gain { // [Go] gpu.PlanGain
	int64_t visits, total;
	int32_t rows, pad;
	int32_t gain[RAY_COLUMNS];
};

struct Paths { // [Go] gpu.PlanPaths
	float x[PLAN_MARKS][POSES], y[PLAN_MARKS][POSES];
	AxleState end[POSES];
};

struct PlanAnswer { // [Go] gpu.PlanAnswer
	uint64_t sequence;
	Gain fans[POSES];
	Paths paths;
	int8_t grid[GRID_CELLS];
};

struct Rays { // [Go] kernels.Rays
	int32_t directions[3][RAY_ROWS][RAY_WIDE]; // t per cell of each axis, signed by direction
	uint32_t entries[64];                      // of a class; from 32 on of one that is seen
};

// A Belief is the grid on the device.
struct Belief { // [Go] kernels.BeliefBytes
	uint32_t marks[MARKS][SEEN_WORDS]; // sets of cells, empty between two scans
	uint32_t odds[GRID_WORDS];         // int8, four to a word, z fastest
};

// A Planner is all that these kernels work on: their one argument. Go writes the
// addresses; the rest is the kernels' own.
struct Planner { // [Go] kernels.Planner
	const volatile PlanJob *job; // these three in pinned memory
	volatile PlanAnswer *answer;
	volatile uint64_t *planned;
	const Rays *rays;
	Belief *belief;
	// [Go] kernels.PlannerBytes
	uint64_t sequence; // of the job under way
	uint32_t parts;
	int32_t num_fans;
	uint32_t ticket; // blocks of the answer that have finished
	uint32_t pad;
	Fan fans[POSES];
	uint32_t seen[SEEN_WORDS];
	int32_t visits[POSES][RAY_ROWS][RAY_COLUMNS / 32]; // of a warp's rays, by their place in the fan
	int32_t gains[POSES][RAY_ROWS][RAY_COLUMNS];       // of a ray
};

#endif
