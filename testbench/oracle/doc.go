// Package oracle knows what nobody in the car can know: the true map. It says
// whether a world can be driven at all, how short the way to its goal is and how
// much of its floor a body can reach, so that a drive is measured against what
// its world allows. Worlds are made with it, drives are judged with it; no pilot
// but the one that is called oracle may look at it.
//
// # Equation
//
// The body is a disc, so its free places are those whose distance d(p) to the
// nearest wall, disc or edge of a table is at least
//
//	d(p) >= BodyRadius + Margin
//
// whatever its heading. On the centres of square cells of Cell metres the way's
// length T to the goal solves the eikonal equation |grad T| = 1 on the free cells,
// T = 0 at the goal (where world.World.Arrived says so), by fast marching (first order, upwind). The way is the descent
// of T with its corners cut wherever the straight line stays free, with half of the
// margin beside the body. Its length is
// that of the polyline, hence that of a way which exists: the shortest one is never
// longer.
//
// # Feasibility
//
// The car cannot turn in place: the least radius of its rear axle is L / tan 30 deg
// = 0.165 m. But it can reverse, and a car that can is locally controllable in small
// time: it follows any curve in the open set of free places as closely as wanted, at
// the price of manoeuvres (Laumond, Jacobs, Taix and Murray 1994,
// doi:10.1109/70.326564). Since the body is a disc about the point that is driven,
// the free places do not depend on the heading. So a way with clearance is a way
// that the car can drive: the search needs no heading, and Length / Cruise is a time
// that no car undercuts and that only a car without manoeuvres reaches.
//
// Movers count as absent: they walk on, and wait for the car. What a beam hears
// plays no part: a wall without an echo stops the body all the same.
//
// # Symbols
//
// Lengths in m, times in s, places in the world's frame. A place is where the middle
// of the body's disc is, not the rear axle.
//
// # Concurrency
//
// A Map does not change once Survey returned it. Any number may read it.
//
// # Errors
//
// Solve and Survey return the complaints of the scenario's Build, or name what
// cannot be reached.
//
// # Source
//
// Fast marching: Sethian 1996, doi:10.1073/pnas.93.4.1591.
package oracle
