// The algorithm of Nav2's MPPI controller as published, retold.
#ifndef ROLLOUT_PEER_H
#define ROLLOUT_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A Peer is one controller with its arrays.
typedef struct Peer Peer;

// peer_supported says whether the machine can run it.
int peer_supported(void);

// peer_new makes the arrays and the noise; map is 64x64 cells of risk, entropy and
// reach in floats, one after the other.
Peer *peer_new(int trajectories, int steps, const float *map);
void peer_free(Peer *);

// peer_plan does one plan from a place within the map towards a goal and returns the
// first command's angle.
float peer_plan(Peer *, float x, float y, float heading, float speed, float goal_x, float goal_y);

#ifdef __cplusplus
}
#endif

#endif
