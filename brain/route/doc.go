// Package route finds the way over the ground: from where the car is to a point,
// or to floor that it has not been on and not seen. It says in which direction the
// way begins; the field decides what becomes of that.
//
// # Map
//
// A copy of package ground's grid at 1/16 m, 128x128 cells. The body's disc is
// taken off the free floor at 1/32 m before it is made coarse, and a coarse cell is
// passable when any of its four is: a door of the car's width and 10 cm stays open.
//
//	slowness   1 with room on all sides, up to 3 where the body just fits
//	unknown    passable, 1 more; to a goal 10 more yet where something stood when the
//	           place (0.25 m) was last seen (CountForgottenWalls), 40 for a car that is late
//	occupied   not passable, nor are edges
//
// # Wave
//
// The distance to go is the solution of |grad T| = slowness from the sources, by
// the fast marching method with buckets for a heap: Sethian 1996,
// doi:10.1073/pnas.93.4.1591; Yatziv, Bartesaghi, Sapiro 2006,
// doi:10.1016/j.jcp.2005.08.005. Unlike Dijkstra's distances on a grid, its
// fronts are round, and the way has no kinks of 45 deg. The wave ends where it has
// passed the car, so that a near goal costs little.
//
// # Sources
//
// A goal inside the window is one source. One outside makes every cell of the
// window's border a source, as far as that cell is from the goal: by a survey, a wave over
// the 32 m of places that are remembered, in which walls are dear wherever they were last
// seen, or as the crow flies where the goal lies beyond those, too. To explore, every
// cell known to be free is a source, as far off as its place (0.25 m) has been
// visited, and the eight around it (Widen), and nearer where it borders on the
// unknown (Yamauchi 1997, doi:10.1109/CIRA.1997.613851): one wave weighs frontiers
// by size, way and visits.
// A source that the car makes no way to for some time counts as visited.
//
// # Amortisation
//
// Advance does a fixed amount of work, counted and not timed. The last finished wave
// answers Toward until the next one is.
//
// # Direction
//
// Toward looks along straight lines over passable floor at 64 bearings, as far as
// 0.45 m, and takes the one from whose end the rest of the way is shortest,
// interpolated between bearings; another direction than the last one must be
// better by a few centimetres.
//
// # Units
//
// Metres and radians in the odometry's frame; points are those of the body's
// centre. float32, every product rounded by itself.
//
// # Concurrency and errors
//
// One goroutine owns a Finder. Nothing allocates after New; no method fails.
package route
