package picarx

import (
	"errors"
	"fmt"
	"os"
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
	line, err := gpio.output(pin)
	if err == nil {
		err = pulse(line, clock, Default().ResetLow)
	}
	return errors.Join(err, gpio.close())
}

// InertAny does the same on whichever known header this machine has, without being
// told which: on a board that the kernel names its own, on any other one every known
// header whose reset line is there under its chip's and its own name. It reads no
// file but the kernel's word on the board, and returns the headers' names.
func InertAny(clock robot.Clock) ([]string, error) {
	compatible, err := os.ReadFile("/proc/device-tree/compatible")
	if err != nil {
		compatible = nil // a PC, or a kernel that does not say
	}
	gpio, err := openChips()
	if err != nil {
		return nil, err
	}
	if clock == nil {
		clock = robot.NewMonotonic()
	}
	there := func(p Pin) bool { _, err := gpio.find(p); return err == nil }
	names, err := pulseAll(resets(compatible, there), func(p Pin) (Output, error) { return gpio.output(p) }, clock)
	return names, errors.Join(err, gpio.close())
}

// A reset is the reset line of a header.
type reset struct {
	header string
	pin    Pin
}

// resets returns the reset lines that a machine may have the HAT on.
func resets(compatible []byte, there func(Pin) bool) (list []reset) {
	headers := Headers()
	if h, err := DetectHeader(compatible); err == nil {
		headers = []Header{h} // another header's line is another signal here
	}
	for _, h := range headers {
		if pin, err := h.Pin(bcmReset); err == nil && there(pin) {
			list = append(list, reset{h.Name, pin})
		}
	}
	return list
}

// pulseAll takes every line before it waits for the first.
func pulseAll(list []reset, output func(Pin) (Output, error), clock robot.Clock) (names []string, err error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no known header's reset line is here", ErrNoBoard)
	}
	for _, r := range list {
		line, taken := output(r.pin)
		if taken == nil {
			taken = line.Set(false) // an output already driven may keep its level through the request
		}
		if taken != nil {
			err = errors.Join(err, fmt.Errorf("header %s: %w", r.header, taken))
			continue
		}
		names = append(names, r.header)
	}
	if len(names) > 0 {
		clock.SleepUntil(clock.Now() + Default().ResetLow)
	}
	return names, err
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
