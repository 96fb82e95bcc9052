// Package line follows a dark line on the floor by the three sensors of the floor bar: across
// gaps, round corners, over dashes, back from its end, and around what stands on it.
//
// # Data
//
// A caller tells a Follower in every tick what the bar reads (Update) and how the way along the
// line is (Pass). It says where the heading is pulled (Pull), whether and how fast the car may
// go on (Following, Slow, Blind), how the line bends (Bend), and what becomes of an order that
// wanted it (Ended, Barred). It steers nothing itself.
//
// Three readings make an offset, the difference of the outer two, and a confidence, from their
// sum (follower.go). What is known beyond that has parts of its own:
//
//	Course     where the line runs at the bar, carried on by the car's motion (course.go)
//	Corner     to which side a line turned that ends under the bar (corner.go)
//	Crossing   where there may be edges: a way across a gap, and back (crossing.go)
//	Detour     around what stands on it (detour.go)
//
// # A line that is not seen
//
//	it ended under the bar          a gap: driven across as the line went, 0.22 m
//	beyond that                     searched for on both sides of its course, at half the speed
//	it went out at the bar's side   searched for on that side, at full lock
//	it ended behind a leg aside     the same, without slowing down: a corner
//	for more than 6 s               forgotten
//
// Where the car looks for edges it does not search: it comes back to where its line ended, at
// BackSpeed, tries three ways, and then the line ends there. Nor does it leave its line for what
// stands on it: after 30 s its order is given up.
//
// # Units
//
// Metres, radians, seconds; readings are shares of the converter's full scale. Bearings and
// offsets are positive to the left. Poses are those of the rear axle in the odometry's frame.
// Every product is rounded by itself: equal inputs give equal bits on amd64 and arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Follower, which is plain memory and allocates nothing. Only
// Record.Check fails, for what no follower can have; its caller adds where the record comes
// from.
//
// # Source
//
// B.6 of the specification. Why so: docs/decisions/0048 (gaps), 0049 (back from an end), 0060
// (beside a line), 0073 (corners), 0077 (dashes).
package line
