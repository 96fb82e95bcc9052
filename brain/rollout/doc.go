// Package rollout imagines thousands of drives on the car's own belief and blends the
// good ones into a sequence of commands.
//
// # Method
//
// Model predictive path integral control: Williams et al. 2017, "Information theoretic
// MPC for model-based reinforcement learning", doi:10.1109/ICRA.2017.7989202. Noise is
// added to the commands of the last plan, every disturbed sequence is driven by the
// bicycle model and priced, and each command moves by the mean of its noise weighted
// with exp(-cost / Temperature). What is ours: noise that lasts (first order, its time
// constant Hold), which steers a car with a lag farther than white noise does; the
// first trajectory drives without noise, so that a plan never forgets the last one.
//
//	cost = Risk     per second at risk 1: belief or ground at the reference point
//	     + Crash    once where risk reaches Touch; that trajectory then stands
//	     - Look     per bit and metre of floor unknown, where the way leads farther from
//	                its beginning than before: circling and standing teach nothing
//	     - Reach    of the end to unknown floor (belief.Reach)
//	     + Goal     per metre of the mean distance to the goal
//	     + Turn     per radian between two commands to the wheels
//	     + Reverse  per change of direction
//	     + Backing  per metre backwards
//	     + Length   per metre
//	     + Lean     of noise along the last plan, the paper's control cost
//
// # Map
//
// Before it drives, a plan copies what it needs of the belief: 64x64 cells of 1/16 m
// around the car, each with risk and entropy of the floor in eight bits and reach in
// sixteen, so that one look-up per step serves all critics. Risk is that of a cell's
// middle; what happens to the belief while a plan is under way does not change it.
//
// # Noise
//
// A normal number is the sum of four bytes of a mixed word (Irwin-Hall: within 3.45
// standard deviations, excess kurtosis -0.3), the word a function of seed, plan,
// trajectory and step. Nothing is stored and no order matters.
//
// # Amortisation
//
// Advance does a counted share of the work: a unit is a row of the map, or sixteen
// trajectories driven, or sixteen blended. The plan does not depend on the shares.
// Cancel drops it between any two.
//
// # Bits
//
// Pure Go, SSE, AVX2, AVX-512 and NEON give the same bits: float32, every product and
// sum rounded separately, sums kept in sixteen lanes whatever the width.
//
// # Concurrency and errors
//
// One goroutine owns a Planner. Nothing allocates after New, which returns every
// complaint about its parameters joined.
package rollout
