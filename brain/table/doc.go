// Package table keeps the map of the table that the car is on, its edges, its lanes and the
// walls behind them, and says which way to drive so that every side is met square on: aslant
// a front wheel is past the edge before any floor sensor (docs/robot.md).
//
// # Data
//
// A caller tells a Map of every tick how the axle moved and which floor sensors see an edge
// (Update), what a beam heard (Hear), and how the walls around stand as soon as a compass
// knows (Face). Wants says where to drive, Back how far to go back first, FloorEdges which
// lines no wheel may pass, and OverEdge whether a goal lies beyond one. Slant and Shown tell of
// the edge that is under the bar.
//
// # Frame
//
// The map's frame is its own: x leads along walls, or square on to the first side; the four
// sides lie ahead in it, to the left, behind and to the right. It begins with what a compass
// hears of the walls around, or with the first edge. The sides of most tables are parallel or
// square to each other, and where they are not the first meeting of a side tells.
//
// Every meeting with a side says how the car stands to it, and so how wrong its turns were:
// heading, place and the scale of turns are corrected, each by the share that its own doubt has
// in the whole. An echo of a wall that was placed does the same.
//
// # Way
//
// After its first side the car goes back, to the sides beside it, since along a side that
// nobody has seen a wheel is past it first, then from the middle between these to the fourth,
// then on and on between all of them. It turns off to a side where that was met first, as long
// as it can still get into that lane, and to none towards which the ground shows that something
// stands.
//
// # Ends
//
// What sensors see is a side only if the car came forwards to it and loses it on its way back.
// Four metres without a first edge are no table; after one side six metres without another,
// after more of them 25. What held the car does not move the map (Retract).
//
// # Units
//
// Metres and radians. Bearings are from the car's heading, positive to the left; a pose is that
// of the rear axle in the odometry's frame, which the map's never needs to know. Every product
// is rounded by itself: equal inputs give equal bits on amd64 and arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Map, which is plain memory and allocates nothing. Only Record.Check
// fails, for what no map can have; its caller adds where the record comes from.
//
// # Source
//
// Corrections: Kalman 1960, doi:10.1115/1.3662552. Why walls, lanes and these limits:
// docs/decisions/0033, 0042, 0064, 0071 and 0076.
package table
