// Package walls finds from the echoes of a few beams how the car stands to the walls around
// it. The walls of most rooms are square to each other, and most tables stand along them: who
// knows the walls meets the sides of a table square on before it has seen one (docs/robot.md).
//
// # Data
//
// A caller tells a Compass of every tick how far the axle moved (Update) and of every echo
// (Hear), and asks how the car heads from the walls (Off). Five beams tell mostly at once, one
// beam when it has been turned by 110 degrees.
//
// Every pair of echoes says which directions of the walls explain both as echoes of one wall
// (compass.go has the equation). The direction is known where enough pairs agree on it, and
// clearly fewer on any other.
//
// # Units
//
// Metres and radians; a pose is that of the rear axle in the odometry's frame. Every product
// is rounded by itself: equal inputs give equal bits on amd64 and arm64.
//
// # Concurrency and errors
//
// One goroutine owns a Compass, which is plain memory and allocates nothing. Nothing fails.
//
// # Source
//
// Why walls: docs/decisions/0033.
package walls
