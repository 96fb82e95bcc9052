// Package pilots holds the drivers that the brain is measured against: each a
// published way to drive, with the sensors, the reflexes and the body that the
// brain has, and none of its code.
//
//	reactive+   testbench.Reactive, tuned, that gets out when it touched
//	attractor   attractor dynamics of the heading: Bicho, Mallet and Schoener 2000
//	vfh         VFH+: Ulrich and Borenstein 1998
//	dwa         dynamic window over arcs, on A*'s way: Fox, Burgard and Thrun 1997
//	tangentbug  TangentBug: Kamon, Rimon and Rivlin 1998
//	astar       A* and regulated pure pursuit: Macenski and others 2023
//	mppi        model predictive path integral, on A*'s way: Williams and others 2017
//	oracle      A* and a window on the true map with the true pose: an upper bound
//
// All but the oracle see a view: range beams, the beacon, what the driver told
// motors and servo, and an occupancy grid made of these. The world is in no type
// that reaches them. The oracle gets it from testbench.Body.Truth.
//
// They share the dead reckoning, the grid (odometer, grid), the choice of a next
// place where the task is to explore (navigator), the way out of a contact, an
// edge or a standstill (escape), and testbench.Reactive's rule for lines. What
// differs is what their publications differ in.
//
// # Equation
//
// Each type's comment gives its own.
//
// # Concurrency
//
// A pilot belongs to the goroutine that ticks. Nothing is shared between two.
//
// # Errors
//
// A pilot returns the reflexes' refusal of the seat's period or limits; With
// returns what is wrong with a number.
//
// # Source
//
// The publications above, with their DOIs at the types; docs/specification.md C.1
// for the car.
package pilots
