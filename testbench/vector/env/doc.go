// Package env makes a learner's environments of a fleet of testbench/vector: N cars,
// actions in, observations, rewards and ends of episodes out, in memory that the
// caller owns.
//
// # Semantics
//
// Those of Gymnasium's vector environments with the autoreset mode NextStep: the
// step that ends a car's episode returns its last observation; the next one ignores
// the car's action, begins its next episode and returns the first observation of it,
// with reward 0 and no end. Terminated and truncated never come together: an episode
// is truncated only by the number of its steps.
//
// # Tasks
//
// With p the car's rear axle, b its body's middle, s the middle floor sensor, and
// every sum over an episode's steps:
//
//	avoid    sum of the way of q, in m: q is drawn by p as on a rope of 1 m
//	goal     L(b at the start) - L(b), in m, and 1 at the goal; L is the way left
//	line     sum of the way of s along the line, in m; forwards only within 50 mm of it
//	explore  0.0625 m2 for every cell of 0.25 m that b enters first
//
// A contact, a fall and a line lost for 3 s end an episode and cost 1. A car that
// stands earns nothing. One that goes round within 1 m moves no rope; it gets as far
// from the goal as it came near, as far back along the line as forward, and meets
// no new cell after the first round.
//
// # Symbols
//
// SI units. An action lasts Options.Hold steps of a millisecond. L solves the eikonal
// equation over the places that are free for the body (testbench/oracle); the sum of
// its differences is a potential's, so that it changes no optimal policy (Ng, Harada
// and Russell 1999, Policy invariance under reward transformations, ICML).
//
// # Seeds
//
// A car's seed makes its sequence of episodes: the number of the world and the seed
// of the sensors' noise. Nothing of it depends on the number of cars, on the engine
// or on the threads.
//
// # Concurrency
//
// An Env belongs to one goroutine; it has threads of its own where it is asked to.
// Step and Reset do not allocate.
//
// # Errors
//
// New and Use name what is wrong and what there is. Step refuses to run before Reset.
//
// # Source
//
// Towers and others 2024, Gymnasium, arXiv:2407.17032. docs/environments.md.
package env
