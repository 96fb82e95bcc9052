// Package fieldbrain drives a small robot car with a dynamic neural field: it
// turns what the sensors say into one smooth decision where to go, every 5 ms.
//
// Start here. A [Body] is three methods that you write for your own car: Sense
// copies the newest readings, Act takes a command, Halt stops the motors. [New]
// puts a [Brain] into it:
//
//	o := fieldbrain.Default()
//	o.Task.Explore, o.Arm = true, true
//	b, err := fieldbrain.New(myCar, o)
//	if err != nil {
//		return err
//	}
//	defer b.Close()
//	return b.Run(ctx) // every 5 ms until ctx is done, then Halt
//
// [Default] is for a PiCar-X. Of another car say its [Shape] first: how long and wide it
// is, how fast, what its floor sensors read; see Body below. With the driver of the
// PiCar-X (package robot/picarx) the shape is PiCarX(settings.Sheet()).
//
// Package testbench/seat puts the same brain into the bench: a simulated PiCar-X in a
// world from a file (docs/worlds.md). This package needs neither bench nor driver, and a
// program of yours compiles neither in. [Stimulus] and [Peak] are for whoever wants a
// field without a car.
//
// # Units
//
// SI: metres, metres per second, radians. x points forward, y to the left, a
// positive angle turns to the left. Inside, the field counts in bins of bearing
// and range; nothing here does. Instants are time.Duration on the clock of the
// body (Options.Clock).
//
// # Body
//
// Sense fills in what the body has, and in any case:
//
//   - Now, the instant of the copy. Without it the state counts as too old, and the body stands.
//   - CommandedSpeed and CommandedSteering, what motors and steering were told last: of a body that
//     obeys at once those of the last Command, 0 after Halt. Without them the brain takes the body to
//     stand: it stays at its start, its map of the ground is wrong, it comes to no goal, and no sensor
//     counts as hung.
//   - Range[0] and Battery, without which it does not arm. Each reading has the instant at which it was
//     taken; one that comes again is the same as before, with the same instant.
//
// A sensor that says one value, bit for bit, in new readings while the body moves and others change
// counts as hung (frozen-sensor): the body creeps, then stands. Real sensors have noise; a simulated
// body must add some.
//
// The brain obeys these numbers of a [Shape]: Wheelbase and Track (the reflexes' way back and
// the driving law's way past edges, too; the reflexes take 94 mm for a wheelbase of 87 to
// 100), SonarAhead, TopSpeed, Limits, Battery, LineLight, LineDark, CliffDark, and, where
// they are not 0, Lag, ServoRate and Cone. Limits.Steering is 20 degrees at least; of more
// than 30 the law uses 30, with less it touches things more often. A longer Lag lengthens
// the distance in which the reflexes stop; a faster ServoRate than 5.2 rad/s does not reach
// them.
//
// It takes these for granted, and New refuses a Shape that is not so:
//
//   - The body lies within a disc of 0.09 m radius whose centre is 0.05 m ahead of the rear
//     axle: 0.18 m wide, from 0.04 m behind that axle to 0.14 m ahead of it. No more is kept
//     free. Radius and Ahead say where your body is; wheels and range sensors must lie inside.
//     What reaches beyond the sensors, more than a PiCar-X's 3 cm, the reflexes keep away as well.
//   - With Task.Cliff or Task.FollowLine: three floor sensors 0.12 m ahead of the rear axle
//     (FloorAhead, within 1 cm), 0.02 m apart (FloorPitch, within 5 mm), with Task.Cliff
//     at least 1 cm ahead of the front axle, and CliffDark below what the floor reflects. A body
//     without them leaves these numbers at 0, and refuses an order to follow a line.
//
// And these, which it cannot look at: the body brakes with 1.5 m/s2; it steers with its front
// wheels, and the angle of a Command is that of a bicycle's wheel; sonars are 0.08 m above the
// floor; the camera is 0.10 m above it.
//
// # Orders
//
// What people order, and what they set while it drives, are types of package brain:
// Remote().Go(brain.Order{Do: brain.DoGoal, X: 1}), Remote().Set(brain.Setting{...}); Task.Law is of
// package brain/steer. A Remote waits for a tick to take what it was told, a second at most
// (brain.ErrNoTick): it is for other goroutines than the one that ticks. That one, as in virtual time
// (Advance), has Arm, Disarm, Core().Go and Core().Set; Remote().Stop and Status wait for nobody.
//
// # Safety
//
// A brain starts disarmed: its commands keep the motors inert until Arm, or
// until it may arm by itself where Options.Arm says so: once, and not behind a Disarm or
// a stop. Between decision and body stand the reflexes of package robot/safety: they stop at what is near, at
// an edge (Task.Cliff) and when a reading is missing or too old. They let a body
// drive that has a front range (State.Range[0]) and a battery (State.Battery,
// within the voltages of Shape.Battery); Remote().Status() and the error of Arm
// say what is missing.
//
// # Concurrency
//
// One goroutine owns a Brain: it calls Tick, or Advance, or Run. Others use what
// Remote returns. The body's Sense and Act run on the owner's goroutine, in Run
// on a thread of its own.
//
// # Errors
//
// New panics without a body. It returns all that is wrong with its options, joined, each with its bounds;
// an engine that cannot be made, or was closed, comes behind that. Tick reports the body's
// or the engine's refusal in the Trace. In the tick that the engine refused the brain brakes,
// and goes on slower while it does. An error of Act counts as a bus that is down: from the next tick
// on the body is disarmed (link-down), and when Act works again somebody has to arm it; so
// Act itself tries again what may be tried again. Advance ends at such a tick; Run goes on. It
// returns what ended it, joined with the refusal of a last Halt. A brain runs once, and not after Close.
package fieldbrain
