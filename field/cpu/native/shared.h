// Code generated from the Go sources by gpu/kernels/header. DO NOT EDIT.
//
// What C++ and CUDA share with Go: sizes, names of channels, weights, rates.
#ifndef FIELDBRAIN_SHARED_H
#define FIELDBRAIN_SHARED_H

#include <assert.h>
#include <stdint.h>

enum { SIDE = 32, PLANE = 1024, CELLS = 32768, CHANNELS = 64, ONE = 32768, ROUND = 16384 };
enum { AXIS_X = 1, AXIS_Y = 2, AXIS_Z = 4 };
enum { AMARI = 0, LINEAR = 1, MEMORY = 2, LEAKY = 3, MAPPING = 4 };
enum { MAX_TERMS = 96, MAX_SPOTS = 16, MAX_ROWS = 113, MAX_COUPLINGS = 8, LEADS = 6 };
enum { NUM_SENSES = 64, MAX_PATTERNS = 100, PATTERN_ROW = 128, FIRST_STRATEGIC = 32, STRATEGIC = 16 };
enum { OBST_MAP = 32, HAZARD_MAP = 35, VISITED_MAP = 36, HEAD_TRACE = 37, HEAD_PREF = 40, PLAN_HEAD = 43, FIRST_FREE = 45, HEADING = 48, NOVELTY = 51 };
#define FAINT 1e-30f
#define NOISE_SCALE 2.6428997e-05f
enum { EXCITE_TAPS = 5 };
#define EXCITE_WEIGHTS {6690, 5904, 4058, 2172, 905}
enum { INHIBIT_TAPS = 9 };
#define INHIBIT_WEIGHTS {3382, 3276, 2983, 2551, 2050, 1548, 1097, 731, 457}

// field.Row
typedef float Row[SIDE];

// field.Coef
typedef struct {
	float alpha, nu, resting, excite, inhibit, global, preshape, noise, keep, lead;
} Coef;
static_assert(sizeof(Coef) == 40, "Coef");

// field.Lead
typedef struct {
	float rate, pull, weight[3];
	int32_t from[3];
} Lead;
static_assert(sizeof(Lead) == 32, "Lead");

// field.Marginal
typedef struct {
	int32_t x[SIDE], y[SIDE], z[SIDE], total;
} Marginal;
static_assert(sizeof(Marginal) == 388, "Marginal");

// field.PlacedChannel
typedef struct {
	int32_t kind, mask, egocentric, source, trace, axis[3], extent[3], local[3], key[3], pack[3], offset;
	int32_t size, repeats, every;
} PlacedChannel;
static_assert(sizeof(PlacedChannel) == 96, "PlacedChannel");

#endif
