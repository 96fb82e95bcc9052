// Package belief keeps the car's knowledge of the space around it: a dense grid of
// occupancy log-odds that scrolls with the car by whole cells, is written by
// sonar cones and floor sensors, forgets, and says how much a look from a pose
// would teach.
//
// # Grid
//
//	odds[x][y][z]   34x34x34 int8, z fastest; one log-odds unit is 1/32 nat
//	cell            0.125 m; 32x32x32 inside, 4 m square around the car
//	border          -128, one cell thick, never written; ends every ray
//	limits          -123..123, 0 is unknown
//	z = 1           the floor: occupied means not drivable
//	z = 2           0..0.125 m above it, where body and sonar are
//
// A cell of 0.125 m is what a sonar cone of +-12 deg resolves at 0.6 m; 32 of
// them span the specification's room of 4x3 m. x and y are those of the
// odometry's frame, so that turning moves nothing and driving moves the grid by
// a cell about three times a second.
//
// # Expected information
//
// A ray from a pose gains, over the cells i it passes,
//
//	sum_i reach_i H(p_i),   reach_0 = 1,  reach_{i+1} = reach_i (1 - p_i)
//
// with H the binary entropy in bits and p the occupancy, until reach is below
// 1/128 or the ray meets the border: Julian, Karaman, Rus 2014, Int. J. Robotics
// Research 33:1375, doi:10.1177/0278364914531281, with the noise of the sensor
// left out, as in Zhang et al. 2020, doi:10.1177/0278364920921941.
//
// # Contract of the kernels
//
// Everything a ray does is 32-bit integer arithmetic, so that pure Go, vector
// lanes and a graphics card give the same bits in any order of rays:
//
//	class     ((uint8(odds) ^ 128) + 4) >> 3             0..31, 0 is the border
//	table     free and entropy of each class in Q15      Entries
//	product   (a b + 2^14) >> 15                         reach and gain
//	t         Q12 cells along the ray, d = 4096/|n|      signed by direction
//	first     t0 = (|d| f) >> 10, f in Q10 the way to the next cell
//	next      smallest t of x, y, z, the earlier axis on a tie; t += |d|
//
// cast in cast.go is one ray of the gain and trace in insert.go one ray of an
// insertion, both in plain C style; a port follows them statement by statement.
// Gains are int32 per azimuth: 32 rays of at most 100 cells at 32767 fit.
//
// # Insertion
//
// One scan changes a cell at most once: rays only mark (free < arc < hit, the
// stronger mark wins), then every marked cell moves by its mark's weight and is
// clamped. Forgetting moves one layer at a time by one unit towards unknown.
//
// # Concurrency
//
// One goroutine owns a Belief. Nothing allocates after New.
//
// # Errors
//
// New returns an error for an instruction set that is not there. What lies
// outside the grid is unknown and stays so; no method fails for it.
package belief
