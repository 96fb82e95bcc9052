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
// is, how fast, what its floor sensors read. With the driver of the PiCar-X (package
// robot/picarx) the shape is PiCarX(settings.Sheet()).
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
// # Safety
//
// A brain starts disarmed: its commands keep the motors inert until Arm, or
// until it may arm by itself where Options.Arm says so. Between decision and
// body stand the reflexes of package robot/safety: they stop at what is near, at
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
// New returns what is wrong with its options: first what this page knows, then all
// that the engine, then all that the brain complains about. Tick reports the body's
// or the engine's refusal in the Trace; the brain brakes and goes on. Run returns
// what ended it, joined with the refusal of a last Halt.
package fieldbrain
