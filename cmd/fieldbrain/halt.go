package main

import (
	"errors"
	"fmt"
	"slices"

	"fieldbrain/daemon/guard"
	"fieldbrain/robot/picarx"
)

type haltCmd struct {
	guardFlag
	Config string `help:"Configuration file that names the header; it is read after the board's own line has been pulled." placeholder:"FILE"`
}

// haltThroughGuard asks the process that holds the line to pull it. It refuses
// while it attends a daemon. Where no guard runs, and where this one has no line, directly
// does it; in the second case the guard may have taken the line meanwhile, and is asked
// once more.
func haltThroughGuard(socket string, directly func() error) error {
	_, err := guard.Ask(socket, "halt")
	switch {
	case errors.Is(err, guard.ErrNone):
		return directly()
	case errors.Is(err, guard.ErrNoLine) && directly() != nil:
		_, err = guard.Ask(socket, "halt")
	case errors.Is(err, guard.ErrNoLine):
		err = nil
	}
	return err
}

// Run pulls the reset line low and lets it go: the HAT then drives no motor. It
// needs no daemon, no bus and no valid configuration, so that the service
// manager can run it after every end of the daemon (ExecStopPost=). It does not
// disturb a living daemon, which holds the
// line. Where fieldbrain-guard runs, that one holds it and pulls it.
func (c haltCmd) Run(e *env) error {
	err := haltThroughGuard(c.Guard, func() error {
		return c.halt(
			func() ([]string, error) { return picarx.InertAny(nil) },
			func(header string) error { return picarx.Inert(picarx.Site{Header: header}) },
		)
	})
	endRest(e.getenv) // the motors first
	if err != nil {
		return fmt.Errorf("halt: %w; if a daemon drives the car use fieldbrain estop, else switch the HAT off", err)
	}
	fmt.Fprintln(e.out, "reset line pulled low: a HAT that it reaches drives no motor")
	return nil
}

// halt pulls what it can before it reads any file, which a disk may keep it waiting
// for. Then the configuration may name another header than the board's.
func (c haltCmd) halt(inertAny func() ([]string, error), inert func(header string) error) error {
	done, err := inertAny()
	settings, _, unread := loadConfig(c.Config)
	header := settings.Body.Header
	if unread != nil || header == "" || header == "auto" || header == "pi" || slices.Contains(done, header) {
		return err
	}
	if named := inert(header); named != nil {
		return errors.Join(named, err)
	}
	return nil
}
