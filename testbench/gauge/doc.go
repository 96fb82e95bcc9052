// Package gauge judges a way by its geometry: where the car stood, where it went
// round and round, and what a drive to a goal was worth. It knows places and
// times and no commands, so no pilot can talk its way out.
//
// # Equation
//
// Standing: a stretch of at least 2 s within 0.05 m of the place where it began.
//
// Circling: the newest stretch of the way lies within a disc of radius R, enters
// at most one cell of the floor for the first time, and is long enough. Five
// kinds are looked for, the first four each smaller on a small floor (the disc
// covers at most a quarter of it):
//
//	R      at least            finds
//	0.3 m  4 pi R, or 20 s     circles and eights at full lock, going to and fro
//	0.6 m  4 pi R, or 45 s     wider ones
//	1.0 m  14 m                only round ones: 1.9 turns about the middle of the
//	                           disc, never nearer to it than 0.6 of the farthest
//	1.0 m  14 m                only through the middle: eights and to and fro
//	any    14 m and 3 pi R     only true circles: 1.4 turns, never nearer to the
//	                           middle than 0.9 of the farthest
//
// A normal drive leaves such a disc or finds new floor before. All the time of
// every such stretch counts, once.
//
// Navigation is the metric of the BARN challenge: with optimal time OT and time
// taken AT of a successful drive,
//
//	s = OT / clip(AT, 2 OT, 8 OT), so at most 0.5, and 0 for a failure
//
// # Concurrency
//
// A Standing and a Circling belong to one goroutine. They do not allocate.
//
// # Errors
//
// None: every sequence of places has a measure.
//
// # Source
//
// Perille, Truong, Xiao and Stone 2020, Benchmarking Metric Ground Navigation,
// SSRR, doi:10.1109/SSRR50563.2020.9292572; Xiao and others 2022, Autonomous
// Ground Navigation in Highly Constrained Spaces, IEEE Robotics and Automation
// Magazine 29(4), doi:10.1109/MRA.2022.3213466, with the factors 2 and 8 of the
// challenge since 2023.
package gauge
