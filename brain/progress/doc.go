// Package progress notices when a drive gets nowhere and says what to try next: leave
// the place, look elsewhere for a while, or give the quest up for a reason. It knows
// places, times and distances and no commands.
//
// # Going round
//
// The newest stretch of the way lies within a disc of radius R, enters at most three
// places for the first time, and is long enough. Each is about two thirds of what the
// test bench calls circling, so that something happens before it does. The bench allows
// one new place; here the odometry's drift makes new ones of old ones:
//
//	R      at least         finds
//	0.3 m  2.4 m, or 12 s   circles and eights at full lock, going to and fro
//	0.6 m  5 m, or 28 s     wider ones
//	1.0 m  9.5 m            what fills a small room
//
// Places here are whatever the caller counts as such (package route: 0.25 m square).
//
// # Laps
//
// Larger rounds are known by being driven again, whatever their form: a car that explores
// comes to where it was before, along the same line in either direction, all along three
// fifths of the longest round in it. The bench counts from twice the round on. The disc to
// leave is the one around them.
//
// # Ledger
//
// A quest for a goal gets on where the way left along the route is 0.1 m shorter than it ever was, or
// where the car enters a place for the first time. Where it does neither for 15 s, or
// goes round, or comes no nearer as the crow flies for 60 s whatever places it enters, the
// place is to be left; from the second such strike on the goal waits
// while the car looks elsewhere, for 12 s, then twice as long up to 48 s, or until it
// has entered six new places; so it does where the map shows no way. With one beam a car
// that goes round looks elsewhere at the first strike, too, for 6 s: it would find the same
// strokes before the same wall again. A car that
// explores is to be drawn elsewhere for 12 s at every strike.
//
// From 12 s on in which the goal comes no nearer as the crow flies the way that the car knows
// is in doubt (Doubts), and from 60 s on it must be a long one (Despairs), both until the
// quest ends.
//
//	no way      the map shows none for 6 s while nothing new can be reached, or again
//	            after two looks elsewhere; or nothing new can be reached for 10 s, and
//	            the car got no nearer for 40 s
//	no nearer   120 s of driving without getting nearer as the crow flies, 20 s of them
//	            idle, or 180 s in any case
//	no news     exploring: nothing new can be reached for 10 s, or 45 s idle
//
// Idle are the seconds less 5 for every place that is entered for the first time: a
// new one now and then is the drift of the odometry.
//
// All times are times of driving: a car that is held is not impatient. The way left is
// compared with its minimum, which only falls: a map that forgets and finds again
// cannot feign progress. Nor does floor that becomes known, which shortens the route:
// giving up goes by the distance as the crow flies. Nor does a reckoned place that
// drifts: that distance is less only where it fell by more than its doubt grew.
//
// # Units
//
// Metres and seconds; places in any frame that does not jump.
//
// # Concurrency and errors
//
// One goroutine owns a Monitor. It does not allocate, and no method fails.
//
// # Source
//
// Circling as in package testbench/gauge. Giving up where no progress was made for a
// time: Lumelsky and Stepanov 1987, doi:10.1007/BF01840369, whose bug algorithms end
// when a boundary was gone round, need a position; this car has dead reckoning only.
package progress
