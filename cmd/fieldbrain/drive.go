package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/gamepad"
	"fieldbrain/daemon/config"
)

// driveCmd drives the running car by hand.
type driveCmd struct {
	socketFlag
	guardFlag
	Device string  `help:"Event device of the gamepad; the first one of /dev/input when left out." placeholder:"PATH"`
	Source string  `help:"Name under which the car says who drives." default:"gamepad"`
	Dead   float64 `help:"Share of a stick's way around its middle that counts as the middle, 0 .. 0.5." default:"0.12"`
}

// Help says what the sticks and buttons do.
func (driveCmd) Help() string {
	return "The left stick drives: up is forwards, and it steers; the right one steers as well. " +
		"Buttons: B (circle) emergency stop, Y (triangle, in the north) good, X (square, in the west) bad, A (cross) gives the wheel to the brain and takes it again. " +
		"The reflexes overrule you, and the car stops when this program ends, when the gamepad is gone, and while a pushed stick has not moved for 2 s. " +
		"The car must be armed: fieldbrain arm."
}

// Run drives until it is interrupted.
func (c driveCmd) Run(e *env) error {
	if !(c.Dead >= 0 && c.Dead <= 0.5) { // NaN fails
		return config.UsageError{Err: fmt.Errorf("drive: --dead %v: choose 0 .. 0.5", c.Dead)}
	}
	if _, err := brain.ParseSource(c.Source); err != nil {
		return config.Usagef("drive: --source: %w", err)
	}
	find := func() (*gamepad.Pad, error) { return gamepad.Find(gamepad.Folder, c.Dead) }
	if c.Device != "" {
		find = func() (*gamepad.Pad, error) { return gamepad.Open(c.Device, c.Dead) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s := gamepad.Session{Socket: c.path(e), Guard: c.Guard, Source: c.Source, Find: find, Out: e.out}
	if err := s.Run(ctx); err != nil {
		return fmt.Errorf("drive: %w", err)
	}
	return nil
}
