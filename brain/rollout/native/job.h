// What Go and the loops share, and the choice of the instruction set.
#ifndef ROLLOUT_JOB_H
#define ROLLOUT_JOB_H

#include <stdint.h>

enum { BLOCK = 16, CELLS = 64 };

// A Job is what does not change during a plan: ../job.go has the same, in this order.
typedef struct {
	float x, y, cos, sin, speed, steering; // of the car; metres from the map's corner
	float turned, drove;                   // the command before the first
	float gripped, slew, curve, dt, ahead, per_cell;
	float keep, pulse_steer, pulse_speed, first_steer, first_speed; // of the noise
	float lock, back, fast;
	float goal_x, goal_y;
	float risk, lethal, crash, look, reach, goal, turn, reverse, backing, length, lean_steer, lean_speed;
	uint32_t seed;
	int32_t steps;
} Job;

#ifdef __cplusplus
extern "C" {
#endif

// rollout_drive lets the trajectories of the blocks first .. last-1 drive, and writes
// a cost for each.
void rollout_drive(int isa, const Job *job, const uint32_t *map, const float *controls, float *costs, int first, int last);

// rollout_gather adds, lane by lane, what the noise of the blocks first .. last-1
// changes of the commands, times its weight.
void rollout_gather(int isa, const Job *job, const float *controls, const float *weights, float *sums, int first, int last);

#define DECLARE(ISA)                                                                      \
	void rollout_drive_##ISA(const Job *, const uint32_t *, const float *, float *, int, int); \
	void rollout_gather_##ISA(const Job *, const float *, const float *, float *, int, int);
DECLARE(sse)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(neon)

#ifdef __cplusplus
}
#endif

#endif
