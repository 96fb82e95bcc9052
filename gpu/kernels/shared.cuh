// Code generated from the Go sources by gpu/kernels/header. DO NOT EDIT.
//
// What the kernels share with Go besides field/cpu/native/shared.h: the page, the
// constants, what is learned, and the memory that they work on.
#ifndef FIELDBRAIN_SHARED_CUH
#define FIELDBRAIN_SHARED_CUH

#include <stddef.h>
#include "../../field/cpu/native/shared.h"

enum { PERIODS = 4, MAX_BEAMS = 8, REGRESSORS = 193, MAX_EPISODES = 32, EPISODES_TO_FILL = 3 };
enum { PREDICTOR_SECTION = 64, LIBRARY_SECTION = 65, FIRST_PATTERN = 66 };
enum { EVERY_TICK = 0, EVERY_PERCEPTION = 1, EVERY_TRACES = 2, EVERY_ASSOCIATIVE = 3 };
enum { ORDER_NONE = 0, ORDER_FILL = 1, ORDER_STORE = 2 };
enum { SLOT_LINE = 11, SLOT_LINE_TRUST = 12, SLOT_CLIFF = 13, SLOT_CONTACT = 25, SLOT_LIGHT = 32 };

// field.PlacedCoupling
typedef struct {
	int32_t from, to;
	float weight;
} PlacedCoupling;
static_assert(sizeof(PlacedCoupling) == 12, "PlacedCoupling");

// field.HeadingParams
typedef struct {
	float forward, on_line, goal, line, memory, recall, plan, repel, revisit, behind, hazard, ceiling;
	float baseline;
} HeadingParams;
static_assert(sizeof(HeadingParams) == 52, "HeadingParams");

// field.Spot
typedef struct {
	int32_t slot, ranging;
	float x, turn, y, width;
} Spot;
static_assert(sizeof(Spot) == 24, "Spot");

// field.RecallRates
typedef struct {
	double fade;
	int32_t match, learn, context;
	float share, keep;
	int32_t context_every, episode_every, first[STRATEGIC + 1];
} RecallRates;
static_assert(sizeof(RecallRates) == 104, "RecallRates");

// field.Constants
typedef struct {
	Coef coef[PERIODS][CHANNELS], line_coef;
	uint32_t key;
	PlacedChannel channels[CHANNELS];
	int32_t num_couplings;
	PlacedCoupling couplings[MAX_COUPLINGS];
	Row sin, cos, near;
	float hit, clear, visit, keep_obstacle, keep_hazard, keep_visited, max_range;
	Row edge_across[3], edge_along;
	HeadingParams heading;
	Row close, far;
	float spread_on[8], spread_off[8];
	Row ahead, behind, left30, right30;
	int32_t central[SIDE], between[SIDE], predict;
	float rate;
	int32_t num_spots;
	Spot spots[MAX_SPOTS];
	RecallRates recall;
} Constants;
static_assert(sizeof(Constants) == 19096, "Constants");

// field.Term
typedef struct {
	int64_t channel;
	float a, centre[3], sigma[3];
	int32_t of;
} Term;
static_assert(sizeof(Term) == 40, "Term");

// field.Beam
typedef struct {
	float bearing, range, half_width;
} Beam;
static_assert(sizeof(Beam) == 12, "Beam");

// field.Drive
typedef struct {
	float goal, goal_weight, line, line_weight;
	uint8_t on_line;
	float side, memory, close;
} Drive;
static_assert(sizeof(Drive) == 32, "Drive");

// field.Senses
typedef struct {
	float s[NUM_SENSES];
	uint64_t valid;
	uint8_t frame;
} Senses;
static_assert(sizeof(Senses) == 272, "Senses");

// field.Quality
typedef struct {
	int64_t perception, traces, associative, match, recall;
} Quality;
static_assert(sizeof(Quality) == 40, "Quality");

// field.Input
typedef struct {
	uint64_t tick;
	float forward, turn;
	Term terms[MAX_TERMS];
	int64_t num_terms;
	Beam beams[MAX_BEAMS];
	int64_t num_beams;
	uint8_t edges[3];
	Drive drive;
	Senses senses;
	Quality quality;
	float outcome;
} Input;
static_assert(sizeof(Input) == 4328, "Input");

// field.Prediction
typedef struct {
	float checked[NUM_SENSES], error[NUM_SENSES], novelty[NUM_SENSES], confidence[NUM_SENSES], mean_error;
	float trust;
} Prediction;
static_assert(sizeof(Prediction) == 1032, "Prediction");

// field.Predictor
typedef struct {
	float w[NUM_SENSES * REGRESSORS], r[REGRESSORS], z[NUM_SENSES], s[NUM_SENSES], known[NUM_SENSES];
	float hat[NUM_SENSES], e2[NUM_SENSES], usual[NUM_SENSES], mean[NUM_SENSES], v2[NUM_SENSES];
	float met[NUM_SENSES], boost[NUM_SENSES];
	Prediction result;
} Predictor;
static_assert(sizeof(Predictor) == 53772, "Predictor");

// field.Recall
typedef struct {
	float index[3], cosine[3], weight[3], gate;
} Recall;
static_assert(sizeof(Recall) == 40, "Recall");

// field.Order
typedef struct {
	int32_t kind, episode, pattern, had;
	float share;
} Order;
static_assert(sizeof(Order) == 20, "Order");

// field.Library
typedef struct {
	float context[NUM_SENSES][PATTERN_ROW], score[PATTERN_ROW], uses[PATTERN_ROW], fresh[PATTERN_ROW];
	float version[PATTERN_ROW], kept[PATTERN_ROW], mean[NUM_SENSES], variance[NUM_SENSES], z[NUM_SENSES];
	float count[2];
	Recall best;
	float shelf[STRATEGIC + 1], episode[MAX_EPISODES][NUM_SENSES], credit[MAX_EPISODES];
	int32_t episode_kept[MAX_EPISODES], head, opened;
	Order order;
} Library;
static_assert(sizeof(Library) == 44688, "Library");

enum { PLAN_POSES = 13, PLAN_STEPS = 20, PLAN_MARKS = 5, PLAN_ROWS = 32, PLAN_COLUMNS = 128, PLAN_TURN = 256 };
enum { PLAN_PADDED = 34, PLAN_CELLS = 39304, PLAN_SEEN = 1229, PLAN_LIMIT = 123, PLAN_BORDER = -128, PLAN_FIRST = 4, PLAN_ONE = 32767 };
enum { PLAN_TAKES_GRID = 1, PLAN_TAKES_SEEN = 2, PLAN_TAKES_SCAN = 4, PLAN_TAKES_MOTION = 8, PLAN_GIVES_GRID = 16 };

// gpu.Nanos
typedef struct {
	uint32_t prep, evolve, motor, total;
} Nanos;
static_assert(sizeof(Nanos) == 16, "Nanos");

// gpu.Stats
typedef struct {
	int32_t not_finite, updated;
	Nanos nanos;
} Stats;
static_assert(sizeof(Stats) == 24, "Stats");

// gpu.Answer
typedef struct {
	Marginal marginals[CHANNELS];
	uint64_t tick;
	float obstacle[PLANE];
	Row blocked, heading;
	Prediction prediction;
	Recall recall;
	Stats stats;
} Answer;
static_assert(sizeof(Answer) == 30288, "Answer");

// gpu.PlanOrigin
typedef struct {
	int32_t at, part[3];
} PlanOrigin;
static_assert(sizeof(PlanOrigin) == 16, "PlanOrigin");

// gpu.PlanFan
typedef struct {
	PlanOrigin origin;
	int32_t first, row, stride, count;
} PlanFan;
static_assert(sizeof(PlanFan) == 32, "PlanFan");

// gpu.PlanState
typedef struct {
	float x, y, heading, speed, steering;
} PlanState;
static_assert(sizeof(PlanState) == 20, "PlanState");

// gpu.PlanMotion
typedef struct {
	PlanState from;
	float cos, sin, grip, slew, curve, ahead, angles[PLAN_POSES], speeds[PLAN_POSES], slopes[PLAN_POSES];
} PlanMotion;
static_assert(sizeof(PlanMotion) == 200, "PlanMotion");

// gpu.PlanScan
typedef struct {
	PlanOrigin origin;
	int32_t first, rows[PLAN_ROWS], free[PLAN_ROWS][PLAN_COLUMNS], end[PLAN_ROWS][PLAN_COLUMNS];
	uint8_t echo[PLAN_ROWS][PLAN_COLUMNS];
} PlanScan;
static_assert(sizeof(PlanScan) == 37012, "PlanScan");

// gpu.PlanJob
typedef struct {
	uint64_t sequence;
	uint32_t parts;
	int32_t num_fans;
	PlanFan fans[PLAN_POSES];
	PlanMotion motion;
	PlanScan scan;
	uint32_t seen[PLAN_SEEN];
	int8_t grid[PLAN_CELLS];
} PlanJob;
static_assert(sizeof(PlanJob) == 81864, "PlanJob");

// gpu.PlanGain
typedef struct {
	int64_t visits, total;
	int32_t rows, pad1, gain[PLAN_COLUMNS];
} PlanGain;
static_assert(sizeof(PlanGain) == 536, "PlanGain");

// gpu.PlanPaths
typedef struct {
	float x[PLAN_MARKS][PLAN_POSES], y[PLAN_MARKS][PLAN_POSES];
	PlanState end[PLAN_POSES];
} PlanPaths;
static_assert(sizeof(PlanPaths) == 780, "PlanPaths");

// gpu.PlanAnswer
typedef struct {
	uint64_t sequence;
	PlanGain fans[PLAN_POSES];
	PlanPaths paths;
	int8_t grid[PLAN_CELLS];
} PlanAnswer;
static_assert(sizeof(PlanAnswer) == 47064, "PlanAnswer");

enum { MARK_FREE = 1, MARK_ARC = 2, MARK_HIT = 3 };
enum { MARKS = 4 };
#define MARK_WEIGHTS {0, -8, 8, 24}

enum { PREP_THREADS = 512, EVOLVE_THREADS = 512, PITCH = 34, MAX_CHILDREN = 4 };
enum { TAKE_THREADS = 256, FAN_ROWS = 4, GIVE_BLOCKS = 8 };
enum { STAMP_PHASES = 10, STAMP_BLOCKS = 256, CARRIED = 4 };
enum { STAGE_PREP = 0, STAGE_EVOLVE = 1, STAGE_MOVE = 2, STAGE_LEARN = 3, STAGES = 4 };
enum { TASK_BRING = 0, TASK_MAPS = 1, TASK_TERMS = 2, TASK_PROFILES = 3, TASK_COUPLE = 4, TASK_DISPLACE = 5, TASK_CARRY = 6 };

// kernels.Task
typedef struct {
	int32_t kind, of, part, parts;
} Task;
static_assert(sizeof(Task) == 16, "Task");

// kernels.Work
typedef struct {
	int32_t channel, part, parts, columns;
} Work;
static_assert(sizeof(Work) == 16, "Work");

// kernels.Cue
typedef struct {
	float marks[NUM_SENSES / 4];
	int32_t due, phase, most;
	float outcome;
} Cue;
static_assert(sizeof(Cue) == 80, "Cue");

// kernels.Frame
typedef struct {
	uint64_t tick, began[STAGES], ended[STAGES], brought;
	Input input;
	uint32_t request;
	int32_t run[CHANNELS];
	Coef coef[CHANNELS];
	uint32_t tick_key;
	int32_t moving, start[CHANNELS + 1], index[MAX_ROWS];
	float amp[MAX_ROWS];
	Row rows[MAX_ROWS][3];
	float weight[MAX_COUPLINGS], proj[MAX_COUPLINGS][PLANE];
	int32_t moved_sum[CHANNELS][SIDE];
	float obstacle[PLANE], hazard[PLANE], visited[PLANE];
	Row blocked, heading;
	int32_t not_finite;
	Cue cue;
} Frame;
static_assert(sizeof(Frame) == 105416, "Frame");

// kernels.Stamp
typedef struct {
	uint64_t clock[STAMP_PHASES], began;
	uint32_t processor, pad1;
} Stamp;
static_assert(sizeof(Stamp) == 96, "Stamp");

// kernels.Memory
typedef struct {
	const Constants *constants;
	Frame *frame;
	Predictor *predictor;
	Library *library;
	float *patterns, *u[2];
	uint16_t *half[2];
	float *moved;
	Marginal *marginals, *sums;
	int32_t *flip;
	const Task *tasks;
	const Work *work;
	int32_t *children;
	volatile const Input *in;
	volatile Answer *out;
	volatile const uint32_t *request;
	volatile uint64_t *answered;
	volatile float *cells;
	volatile const uint32_t *channel;
	int32_t halves, dense, overlap, together;
	Stamp *stamps;
} Memory;
static_assert(sizeof(Memory) == 200, "Memory");

// kernels.Rays
typedef struct {
	int32_t directions[3][PLAN_ROWS][PLAN_TURN + PLAN_COLUMNS];
	uint32_t entries[64];
} Rays;
static_assert(sizeof(Rays) == 147712, "Rays");

// kernels.Belief
typedef struct {
	uint32_t marks[4][PLAN_SEEN], odds[PLAN_CELLS / 4];
} Belief;
static_assert(sizeof(Belief) == 58968, "Belief");

// kernels.Planner
typedef struct {
	const PlanJob *job;
	volatile PlanAnswer *answer;
	volatile uint64_t *planned;
	const Rays *rays;
	Belief *belief;
	uint64_t sequence;
	uint32_t parts;
	int32_t num_fans;
	uint32_t ticket, pad1;
	PlanFan fans[PLAN_POSES];
	uint32_t seen[PLAN_SEEN];
	int32_t visits[PLAN_POSES][PLAN_ROWS][PLAN_COLUMNS / 32], gains[PLAN_POSES][PLAN_ROWS][PLAN_COLUMNS];
} Planner;
static_assert(sizeof(Planner) == 225048, "Planner");

#endif
