// The memory that Go and the kernels share, and what the kernels keep to
// themselves. Structs marked [Go] mirror one of the package named; a test
// compares sizes and offsets.
#ifndef FIELDBRAIN_TYPES_CUH
#define FIELDBRAIN_TYPES_CUH

#include <stddef.h>
#include <stdint.h>

enum { SIDE = 32, PLANE = SIDE * SIDE, CELLS = SIDE * PLANE, CHANNELS = 64, ONE = 32768 };
enum { MAX_TERMS = 96, MAX_SPOTS = 16, MAX_ROWS = MAX_TERMS + 1 + MAX_SPOTS, MAX_BEAMS = 8, MAX_COUPLINGS = 8 };
enum { SENSES = 64, REGRESSORS = 3 * SENSES + 1 }; // slots of the sensory vector; what a prediction is made from
// Pattern library (field/library.go): patterns, the slots they come from, the
// channels they keep and lead.
enum { PATTERNS = 100, PATTERN_ROW = 128, SLOTS = 32, SLOTS_TO_FILL = 3, STRATEGIC = 16, FIRST_STRATEGIC = 32 };
enum { ORDER_NONE, ORDER_FILL, ORDER_STORE };
enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4 };
enum { AMARI, LINEAR, MEMORY, LEAKY, MAPPING };
enum { EVERY_TICK, EVERY_PERCEPTION, EVERY_TRACES, EVERY_ASSOCIATIVE };
// Channels that the tick addresses by number.
enum { OBST_MAP = 32, HAZARD_MAP = 35, VISITED_MAP = 36, HEAD_TRACE = 37, HEAD_PREF = 40, PLAN_HEAD = 43, FIRST_FREE = 45, HEADING = 48, NOVELTY = 51 };

typedef float Row[SIDE];

struct Coef { // [Go] field.Coef
	float alpha, nu, resting, excite, inhibit, global_, preshape, noise, keep, lead;
};

struct Sheet { // [Go] field.Sheet
	int32_t kind, mask, egocentric, source, trace;
	int32_t axis[3], extent[3], local[3], key[3], pack[3];
	int32_t offset, size, repeats, every;
};

struct Coupling { // [Go] field.PlacedCoupling
	int32_t from, to;
	float weight;
};

struct HeadingParams { // [Go] field.HeadingParams
	float forward, on_line, goal, line, memory, recall, plan, repel, revisit, behind, hazard, ceiling, baseline;
};

struct Spot { // [Go] field.Spot
	int32_t slot, ranging;
	float x, turn, y, width;
};

struct RecallRates { // [Go] field.RecallRates
	double fade;
	int32_t match, learn, context;
	float share, keep;
	int32_t context_every, slot_every, first[STRATEGIC + 1];
};

struct Constants { // [Go] field.Constants
	Coef coef[4][CHANNELS], line_coef;
	uint32_t key;
	Sheet sheets[CHANNELS];
	int32_t num_couplings;
	Coupling couplings[MAX_COUPLINGS];
	Row sin, cos, near;
	float hit, clear, visit, keep_obstacle, keep_hazard, keep_visited, max_range;
	Row edge_across[3], edge_along;
	HeadingParams heading;
	Row close, far;
	float spread_on[8], spread_off[8];
	Row ahead, behind, left30, right30;
	int32_t central[SIDE], between[SIDE];
	int32_t predict;
	float rate;
	int32_t num_spots;
	Spot spots[MAX_SPOTS];
	RecallRates recall;
};

struct Term { // [Go] field.Term
	int64_t channel;
	float a, centre[3], sigma[3];
	int32_t of;
};

struct Beam { // [Go] field.Beam
	float bearing, range, half_width;
};

struct Drive { // [Go] field.Drive
	float goal, goal_weight, line, line_weight;
	uint8_t on_line;
	float side, memory;
};

struct Senses { // [Go] field.Senses
	float s[SENSES];
	uint64_t valid;
	uint8_t frame;
};

struct Input { // [Go] field.Input
	uint64_t tick;
	float forward, turn;
	Term terms[MAX_TERMS];
	int64_t num_terms;
	Beam beams[MAX_BEAMS];
	int64_t num_beams;
	uint8_t edges[3];
	Drive drive;
	Senses senses;
	int64_t perception, traces, associative, match, recall; // field.Quality
	float outcome;
};

struct Marginal { // [Go] field.Marginal
	int32_t x[SIDE], y[SIDE], z[SIDE], total;
};

struct Prediction { // [Go] field.Prediction
	float checked[SENSES], error[SENSES], novelty[SENSES], confidence[SENSES], mean_error, trust;
};

struct Predictor { // [Go] field.Predictor
	float w[SENSES * REGRESSORS], r[REGRESSORS], z[SENSES];
	float s[SENSES], known[SENSES], hat[SENSES], e2[SENSES], usual[SENSES], mean[SENSES], v2[SENSES], met[SENSES], boost[SENSES];
	Prediction result;
};

struct Recall { // [Go] field.Recall
	float index[3], cosine[3], weight[3], gate;
};

struct Order { // [Go] field.Order
	int32_t kind, slot, pattern, had;
	float share;
};

struct Library { // [Go] field.Library
	float context[SENSES][PATTERN_ROW];
	float score[PATTERN_ROW], uses[PATTERN_ROW], fresh[PATTERN_ROW], version[PATTERN_ROW], kept[PATTERN_ROW];
	float mean[SENSES], variance[SENSES], z[SENSES];
	float seen, writes;
	Recall best;
	float shelf[STRATEGIC + 1];
	// What follows does not move.
	float slot[SLOTS][SENSES], credit[SLOTS];
	int32_t slot_kept[SLOTS];
	int32_t head, opened;
	Order order;
};

struct Lead { // [Go] field.Lead
	float rate, pull, weight[3];
	int32_t from[3];
};

struct Nanos { // [Go] gpu.Nanos
	uint32_t prep, evolve, motor, total;
};

struct Stats { // [Go] gpu.Stats
	int32_t not_finite, updated;
	Nanos nanos;
};

struct Answer { // [Go] gpu.Answer
	uint64_t tick;
	Marginal marginals[CHANNELS];
	float obstacle[PLANE];
	Row blocked, heading;
	Prediction prediction;
	Recall recall;
	Stats stats;
};

// A Work item is what one block of the evolve pass does: a share of the planes
// of one channel, traces that follow it included.
struct Work { // [Go] kernels.Work
	int32_t channel, part, parts;
};

// A Cue is what of the input the end of the tick needs.
struct Cue {
	float marks[SENSES / 4]; // entries 32..47 of the context
	int32_t due, phase, most; // a context is to be made; ticks since the newest slot; how many patterns
	float outcome;
};

// Frame is what the preparation hands the evolve pass. It stays on the device.
struct Frame {
	int32_t run[CHANNELS];
	Coef coef[CHANNELS];
	uint32_t tick_key;
	int32_t moving;             // the body moved: egocentric channels lie in `moved`
	int32_t start[CHANNELS + 1]; // terms of channel c: index[start[c] .. start[c+1]]
	int32_t index[MAX_ROWS];
	float amp[MAX_ROWS];
	Row rows[MAX_ROWS][3];
	float weight[MAX_COUPLINGS]; // 0 marks a silent source
	float proj[MAX_COUPLINGS][PLANE];
	int32_t moved_total[CHANNELS]; // summed outputs of a displaced channel
	float obstacle[PLANE], hazard[PLANE], visited[PLANE];
	Row blocked, heading;
	int32_t not_finite;
	int32_t ticket; // blocks that have finished, for what only the last one does
	Cue cue;
};

// A Brain is all that the kernels work on: the one argument of every kernel.
// Each channel has two places for its activations and `flip` says which holds
// the present ones: an update reads one and writes the other, so that no cell
// ever waits for its neighbours.
struct Brain { // [Go] kernels.Brain
	const Constants *constants;
	Frame *frame;
	Predictor *predictor;
	Library *library;
	float *patterns;    // PATTERNS patterns, then SLOTS slots
	float *u[2];        // activations in the layout's order
	uint16_t *half[2];  // the same in half precision: activations of channels that are not traces or maps
	float *moved;       // displaced activations of egocentric channels, by the channel's offset
	Marginal *marginals; // of the present outputs, per distinct cell
	Marginal *sums;      // of the outputs under way, per stored cell
	int32_t *flip;
	const Work *work;
	int32_t *children;   // traces that follow channel c: children[4*c ..], ended by -1
	volatile const Input *in;
	volatile Answer *out;
	volatile const uint32_t *request;
	volatile uint64_t *answered;
	volatile float *cells; // one channel's cells, for reading and writing
	volatile const uint32_t *channel; // which one
	int32_t num_work, num_moved, halves, dense; // halves: 1 when half precision is on
	int32_t moved_channels[CHANNELS];
};

#endif
