// Models in the usual style: one struct a car, one call a step, libm.
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdint.h>

// peer_cartpole steps n cart-poles, one call each, so many rounds.
double peer_cartpole(int n, int rounds);

// peer_car steps n cars for `steps` steps of 1 ms, one call each, beside 4 walls and
// 8 discs, and returns a sum of what they did.
double peer_car(int n, int steps, int sensors);

#endif
