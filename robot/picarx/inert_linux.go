package picarx

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/robot"
)

// Inert makes the motors of a HAT dead that somebody left running: it opens the
// reset line alone, drives it low, holds it for Params.ResetLow and lets it go
// without raising it. A controller whose pin falls back to high starts with
// every duty at zero; one whose pin stays low stays dead until Open's owner
// raises it. Nothing else is read or written, so it can be the first act of a
// program and the last after a crash. It fails when a process that lives holds
// the line: that one is in charge of the motors. It does not use Site.Bus.
func Inert(s Site) error {
	header, err := s.header("/proc/device-tree/compatible")
	if err != nil {
		return err
	}
	pin, err := header.Pin(bcmReset)
	if err != nil {
		return err
	}
	gpio, err := openChips()
	if err != nil {
		return err
	}
	clock := s.Clock
	if clock == nil {
		clock = robot.NewMonotonic()
	}
	line, err := gpio.output(pin, 0)
	if err == nil {
		err = pulse(line, clock, Default().ResetLow)
	}
	return errors.Join(err, gpio.close())
}

// pulse keeps a line low for the given time and leaves it so.
func pulse(line Output, clock robot.Clock, low time.Duration) error {
	// An output already driven may keep its level through the request.
	if err := line.Set(false); err != nil {
		return fmt.Errorf("picarx: drive the reset line low: %w", err)
	}
	clock.SleepUntil(clock.Now() + low)
	return nil
}
