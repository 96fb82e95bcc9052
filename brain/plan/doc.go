// Package plan looks ahead: it propagates thirteen actions of the car for a second
// each, scores them by the cells they would make known, by the obstacles in their
// way, by the goal and by the field's own leaning, and searches two or three in a
// row as a tree.
//
// # Method
//
// Receding-horizon view planning with expected information gain over an
// occupancy grid: Bircher et al. 2016, doi:10.1109/ICRA.2016.7487281; the gain
// is that of package belief. A child counts what its parents would have seen as
// known (belief.Seen), so that two looks at the same thing do not count twice.
//
//	score = sum over levels of Discount^level (
//	        Look    bits per ray from the end of the path, weighted ahead
//	      + Ground  bits of floor under the path
//	      + Reach   nearness of the end to unknown floor (belief.Reach)
//	      - Risk    how surely the body touches something, by the ground's cells of 1/32 m
//	      + Goal    metres towards the goal
//	      + Agree   potential of HEADING at the path's bearing, 0..1
//	      - Turn    change of steering, share of lock to lock
//	      - Back    going backwards )
//
// # Amortisation
//
// Advance does a fixed number of work units per call, counted and not timed, so
// that equal inputs give equal plans on every machine. A unit is 128 rays. A
// plan takes some tens of ticks and belongs to the pose it began at; its way
// point is of the world, so the car may move meanwhile. Cancel drops it.
//
// # Lent rays
//
// A Caster may cast the rays of a tick until the next one. The work then waits for
// Reclaim, which comes before belief and ground change, so that whoever casts, in time or
// not, every plan is there in the same tick with the same bits. A tick in which a level
// of the search may end is done at once: what follows depends on its scores.
//
// # Units
//
// Metres, radians and seconds in the odometry's frame; the pose is that of the
// rear axle, looks are from the reference point ahead of it. Values are float32,
// every product and sum rounded separately.
//
// # Concurrency and errors
//
// One goroutine owns a Tree. Nothing allocates after New, which returns every
// complaint about its parameters joined.
package plan
