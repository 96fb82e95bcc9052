// What launches of fieldbrain_act and fieldbrain_book are about, for the kernels and for
// testbench/vector/card: cars that begin anew on the card, and what a task makes of them.
#ifndef FIELDBRAIN_LEARN_H
#define FIELDBRAIN_LEARN_H

#include "fleet.h"

enum { LEARN_NOTHING, LEARN_AVOID, LEARN_GOAL, LEARN_LINE, LEARN_EXPLORE };                   // tasks
enum { LEARN_RUNNING, LEARN_CONTACT, LEARN_FALL, LEARN_LOST, LEARN_ARRIVED, LEARN_TIME };     // env.Cause
enum { LEARN_BOOK, LEARN_RESET = 1, LEARN_SEEDED = 2, LEARN_MASKED = 4 };                     // what a launch does
enum { NAME_UNIT = K_KEYS, NAME_EPISODES, NAME_BEACON, LEARN_NAMES, LEARN_NAME = 16 };        // streams of noise
enum { LEARN_ACTION = 2 };

// LearnRules are env.Rules.
typedef struct {
	double rope, on_line2, lost, arrival, penalty, cell, farthest, slowest, middle, per_radian, reach, ball;
	double grid, around; // m: side of a map's cell, and how far from free floor a body may be
	float speed, steering;
} LearnRules;

// A LearnPlace is a world with what the task asks about it: env.Place.
typedef struct {
	double low_x, low_y;  // corner of the world
	double skew, top_speed, dead_band, body_ahead, floor_ahead, wheelbase, half_track;
	double goal_x, goal_y, radius, beacon_field, beacon_noise;
	double length; // m, of the route
	int64_t grid;  // goal: where LearnJob.left begins
	int64_t route; // line: where LearnJob.route begins
	int32_t grid_columns, grid_rows, corners, columns, rows;
} LearnPlace;

// A LearnStream is a stream of testbench/noise.
typedef struct {
	uint64_t key, n;
} LearnStream;

// A LearnCar is what a task knows about a car besides its fleet: car of env.
typedef struct {
	LearnStream episodes, beacon;
	double total, tail_x, tail_y, left, along, away2;
	float bearing, nearness, speed, steering;
	int32_t place, steps, over, edge, away, unused;
} LearnCar;

// A LearnJob is a fleet in the device's memory with what begins its cars anew, and with
// its task.
typedef struct {
	FleetJob fleet;      // first: it is the fleet's job, too
	uint64_t *keys;      // those of the fleet
	const double *fresh; // block, field, lane: a car at the start of every site
	const double *feet;  // likewise, of its movers
	const double *spreads;
	const uint64_t *seeds; // a car: what LEARN_SEEDED takes
	const uint8_t *mask;   // a car: which LEARN_MASKED takes
	char names[LEARN_NAMES][LEARN_NAME];

	int32_t task, places, hold, limit, observed, words; // LEARN_NOTHING: no more than the above
	LearnRules rules;
	const LearnPlace *place;
	const float *left;   // m to go from the cells of a grid; not a number where nobody can be
	const double *route; // x, y and metres so far of every corner
	LearnCar *cars;
	uint64_t *seen; // words a car: a bit for every cell
	const float *actions; // LEARN_ACTION a car
	float *observations, *rewards, *returns;
	int32_t *lengths;
	uint8_t *terminated, *truncated, *causes;
	double *states; // as the fleet's
} LearnJob;

#endif
