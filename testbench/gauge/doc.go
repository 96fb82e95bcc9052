// Package gauge judges a way by its geometry: where the car stood, where it went
// round and round, and what a drive to a goal was worth. It knows places and
// times and no commands, so no pilot can talk its way out.
//
// # Equation
//
// Standing: a stretch of at least 2 s within 0.05 m of the place where it began.
//
// Ground: the floor on which the middle of the body can be, flooded from its start
// between walls, discs and a table's edges, in cells of 0.25 m. A world's picture says
// nothing about it.
//
// Circling is one of two things, each with nearly no new floor:
//
// In a disc: the newest stretch of the way lies within a disc of radius R, enters at
// most one cell for the first time, and is long enough. A disc covers at most a quarter
// of the ground; on a smaller one it and the way shrink:
//
//	R      at least            finds
//	0.3 m  4 pi R, or 20 s     circles and eights at full lock, going to and fro
//	0.6 m  4 pi R, or 45 s     wider ones
//
// Rounds, of whatever form: the car comes to where it has been (within 0.25 m, along
// the same line within 45 deg, in either direction, and more than 0.5 m away in
// between), and does so all along a way that is as long as the longest round in it, a
// tenth left out. So it has driven every place three times. The stretch begins where the
// first of these rounds did; it
//
//   - enters at most one cell for the first time, and one every 5 m of its way,
//   - is at least 7.5 m long, and
//   - has less than 0.6 of the ground's cells on it or beside it: where laps take the car
//     over nearly all floor that there is for it, there is nothing else to do.
//
// A normal drive leaves such a disc, or such a way, or finds new floor before. All the
// time of every such stretch counts, once.
//
// Navigation is the metric of the BARN challenge: with optimal time OT and time
// taken AT of a successful drive,
//
//	s = OT / clip(AT, 2 OT, 8 OT), so at most 0.5, and 0 for a failure
//
// # Concurrency
//
// A Standing and a Circling belong to one goroutine, and watching allocates nothing. A
// Ground does not change.
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
