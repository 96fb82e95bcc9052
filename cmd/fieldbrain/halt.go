package main

import (
	"fmt"

	"fieldbrain/robot/picarx"
)

type haltCmd struct {
	Config string `help:"Configuration file that names the header; unreadable, the board is asked." placeholder:"FILE"`
}

// Run pulls the reset line low and lets it go: what the HAT drove is dead. It
// needs no daemon, no bus and no valid configuration, so that the service
// manager can run it after every end of the daemon (ExecStopPost=). A living
// daemon holds the line and is not disturbed.
func (c haltCmd) Run(e *env) error {
	var site picarx.Site
	if config, _, err := loadConfig(c.Config); err == nil {
		site.Header = config.Body.Header
	}
	if err := picarx.Inert(site); err != nil {
		return fmt.Errorf("halt: %w; if a daemon drives the car use fieldbrain estop, else switch the HAT off", err)
	}
	fmt.Fprintln(e.out, "HAT reset, motors inert")
	return nil
}
