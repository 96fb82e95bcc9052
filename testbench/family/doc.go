// Package family makes worlds: families of them, with a seed for each member. What
// is tuned is tuned on the members of one set and judged on those of the other.
//
// # Members
//
// Make draws one. The family's name, the set and the seed make the key of the random
// numbers, so Train and Test have no member in common whatever the seeds, and a
// member is the same everywhere. A member is an ordinary scenario in which everything
// stands where it stands: its own seed decides the sensors' noise and nothing of the
// world. NAME-p0 is the same world for a car with the front sonar only; without it the
// car has beams at 0, +-30 and +-60 deg.
//
// The draw is repeated, at most 64 times, until the car stands free and the oracle
// finds what the member asks for: a way to its goal, or enough floor to reach. So no
// member is impossible for the body; whether sensors suffice is the driver's business.
//
// # Limits
//
// Every member limits what matters in it: touching and falling nowhere, the goal or
// the way out within eight times the oracle's least time and 20 s, way and floor where
// it is about driving around.
//
// # Symbols
//
// Lengths in m, rounded to mm, so that a member written as a file reads well and is
// the same world. The car is 0.18 m wide (the body's disc of 0.09 m), a door of 10 has
// 10 cm more.
//
// # Errors
//
// Make names the families there are, or what the last of its draws failed at.
//
// # Source
//
// Clutter by a cellular automaton: Perille, Truong, Xiao and Stone 2020, Benchmarking
// Metric Ground Navigation, doi:10.1109/SSRR50563.2020.9292572.
package family
