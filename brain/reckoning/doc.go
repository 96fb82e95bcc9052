// Package reckoning keeps where the car is in the frame of its start, by dead reckoning, and
// how far from the truth that may be.
//
// # Data
//
// A caller tells a Reckoner of every tick how the axle moved (Update), and what of it the
// wheels only turned in vain (Retract). Fix says where the car is and how sure that is, and
// the Fix in which direction a place lies (Toward). A car that was carried begins anew where
// it stands (Forget).
//
// # Frame
//
// The body's reference point as it stood at the start is the origin, x leads ahead from there,
// y to the left.
//
// # Units
//
// Metres and radians. Every product is rounded by itself: equal inputs give equal bits on
// amd64 and arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Reckoner, which is plain memory and allocates nothing. Nothing fails,
// and nothing of it is saved: the frame is that of one start.
//
// # Source
//
// Covariance by chance: Chong and Kleeman 1997, doi:10.1109/ROBOT.1997.606708.
package reckoning
