package main

import (
	"os"
	"time"

	"fieldbrain/cmd/fieldbrain/response"
	"fieldbrain/daemon/config"
)

// respond prints the table of responses: 0 when every goal is met, else 1.
func (c benchLatencyCmd) respond(e *env) error {
	settings := config.Default()
	settings.Loop.Period = config.Duration(c.Period)
	if err := checkFlags(settings); err != nil {
		return err
	}
	p := response.Default()
	p.Scenario, p.Seed = c.Scenario, uint64(c.Seed)
	p.Length = time.Duration(c.Seconds * float64(time.Second))
	if c.Busy > 0 {
		p.Tick = c.Busy
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	r, err := response.Measure(settings, p, bar.time)
	bar.end()
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(e, r)
	} else {
		err = r.Print(e.out)
	}
	if err == nil && !r.Met {
		return errSilent
	}
	return err
}
