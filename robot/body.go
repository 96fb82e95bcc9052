package robot

import (
	"errors"
	"time"
)

// ErrHeld says that a line which stops the motors does not rise, because the
// process that guards it holds it low for the time being.
var ErrHeld = errors.New("held low by its guard")

// A Body is the sensors and motors a brain drives: the PiCar-X, or the bench's
// car behind the same driver.
type Body interface {
	// Sense copies the newest readings into s. It never blocks.
	Sense(s *State)
	// Act hands over the newest command. It never blocks; the body writes what
	// changed as soon as its bus is free. An error says that it does not take it.
	Act(c Command) error
	// Halt leaves the motors inert and returns when the bus has taken the
	// stop, or says why it has not. It is safe to repeat.
	Halt() error
}

// A Clock is the one time base of a body, its brain and its loop: the kernel's
// monotonic clock, or the bench's virtual time.
type Clock interface {
	// Now returns the time since the clock's epoch.
	Now() time.Duration
	// SleepUntil returns at t, or at once when t has passed.
	SleepUntil(t time.Duration)
}
