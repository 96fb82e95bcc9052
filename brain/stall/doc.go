// Package stall notices that the wheels turn and the car does not, from its ranges alone: the
// base kit has no encoders.
//
// # Data
//
// A caller tells a Watch in every tick what the beams hear and what the dead reckoning says
// (Update). Where that does not agree the car is held (Held), and From says since where: the
// caller takes back what the wheels turned in vain and says so (TakenBack). Touches asks it to
// enter a contact in the map, Contact says where it stands. Where ranges alone cannot tell, Probe swings the wheels.
//
// # What tells
//
//	heard ahead           the range should shrink by the way driven: two ways in vain (watch.go);
//	                      one beam must have heard the same range all along (steady.go)
//	in a corridor         it may stay, and no beam to the side changes: a swing tells, since a
//	                      corridor's range changes with the nose
//	nothing heard         after as much way as the last echo was far, a swing (silence.go)
//	nothing heard ahead   though other beams hear a room that never changes: a swing
//	                      (front_silence.go)
//	on a line             no swing, which would lose it: longer ways in vain add up (line.go)
//
// A Rest is where the ranges have stayed the same since, however the wheels went to and fro:
// there a car stands that is found to be held (rest.go).
//
// # Units
//
// Metres, radians, seconds; a pose is that of the rear axle in the odometry's frame, ranges are
// from the sonar. Every product is rounded by itself: equal inputs give equal bits on amd64 and
// arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Watch, which is plain memory and allocates nothing. Only Record.Check
// fails, for what no watch can have; its caller adds where the record comes from.
//
// # Source
//
// B.5.4 of the specification. Why so: docs/decisions/0041 (swings), 0042 (where it stands), 0060
// (on a line), 0078 (what no beam hears), 0080 (contacts that are none, and where one stands).
package stall
