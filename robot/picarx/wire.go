package picarx

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"fieldbrain/robot"
)

// An Output is one GPIO output line: a motor direction, a sonar trigger or the
// controller's reset. It is requested once, with its first level, and held for
// the life of the process (releasing a line may hand the pad back to its
// special function on a Jetson).
type Output interface {
	// Set drives the line and returns when the level is on the pin. An owner in
	// another process may refuse for a while: robot.ErrHeld.
	Set(high bool) error
}

// An Edge is one level change of an echo line.
type Edge struct {
	At     time.Duration // instant, stamped by the kernel, on the car's clock
	Rising bool          // direction
	Seq    uint32        // counts the line's edges; a gap means edges were lost
}

// An Input is one GPIO input line that reports its edges.
type Input interface {
	// Next moves the oldest unread edge into e and reports whether there was
	// one. It never blocks.
	Next(e *Edge) bool
	// Wait blocks until an edge is unread or d has passed. Only the sampler's
	// own thread calls it; in virtual time it is never called.
	Wait(d time.Duration)
	// Level returns the line's level now.
	Level() (bool, error)
}

// SonarWire is one ultrasonic sensor: where it looks and its two lines.
type SonarWire struct {
	Sector  int    // index into robot.State.Range
	Trigger Output // pulsed high for at least 10 us
	Echo    Input  // high while the sound travels
}

// A Wire is everything the car's driver is connected to: the Robot HAT on a
// Jetson's header, or the bench's register-level HAT.
type Wire struct {
	Bus      i2c.Bus     // the adapter the HAT's controller answers on
	Reset    Output      // MCURST, BCM 5, active low
	LeftDir  Output      // D4, BCM 23: low is forward
	RightDir Output      // D5, BCM 24: high is forward
	Sonars   []SonarWire // at least the front one
	Clock    robot.Clock // one time base for stamps, leases and waits

	// Held is nil on a real car. A model of the HAT, which has no wires that
	// could be at fault, reports here whether its scenario holds the bus now.
	// The watch calls it while a transaction is under way; it must not block.
	Held func() bool
}
