// Package bench times fleets of testbench/vector: every engine, number of cars, with
// and without sensors, beside the same car in plain C, one per call, and the
// cart-pole of reinforcement learning in that style, all in one run.
//
// # Source
//
// Cart-pole: Barto, Sutton and Anderson 1983, doi:10.1109/TSMC.1983.6313077, with
// the constants and Euler's rule that Gymnasium documents.
package bench
