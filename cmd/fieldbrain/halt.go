package main

import (
	"fmt"

	"fieldbrain/robot/picarx"
)

type haltCmd struct {
	Config string `help:"Configuration file that names the header; unreadable, the board is asked." placeholder:"FILE"`
}

// Run pulls the reset line low and lets it go: the HAT then drives no motor. It
// needs no daemon, no bus and no valid configuration, so that the service
// manager can run it after every end of the daemon (ExecStopPost=). It does not
// disturb a living daemon, which holds the line.
func (c haltCmd) Run(e *env) error {
	var site picarx.Site
	if settings, _, err := loadConfig(c.Config); err == nil {
		site.Header = settings.Body.Header
	}
	if err := picarx.Inert(site); err != nil {
		return fmt.Errorf("halt: %w; if a daemon drives the car use fieldbrain estop, else switch the HAT off", err)
	}
	fmt.Fprintln(e.out, "HAT reset, motors inert")
	return nil
}
