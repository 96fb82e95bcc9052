package main

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/doctor"
	"fieldbrain/gpu"
)

type doctorCmd struct {
	Config string `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
	Body   string `help:"Check for this body: sim or picarx; the configuration's when left out." enum:",sim,picarx" default:"" placeholder:"KIND"`
	Probe  bool   `help:"Read one byte from the HAT. Not while a daemon runs: it owns the bus."`
	JSON   bool   `help:"Print one JSON object." name:"json"`
	socketFlag
}

// diagnosis is the JSON form.
type diagnosis struct {
	Healthy bool            `json:"healthy"`
	Checks  []doctor.Result `json:"checks"`
}

// Run examines this machine: 0 when nothing failed, 1 otherwise.
func (c doctorCmd) Run(e *env) error {
	config, from, err := loadConfig(c.Config)
	if err != nil {
		config = daemon.DefaultConfig()
	}
	if c.Body != "" {
		config.Body.Kind = c.Body
	}
	if err == nil {
		err = preflight(from, config, config.Body.Kind)
	}
	m := doctor.Local(config)
	m.ConfigFrom, m.ConfigErr = from, err
	m.Engine, m.EngineErr = chosenEngine(config)
	m.GPU = func() (string, error) { return probeCard(config.Engine.GPUPath) }
	if c.Socket == "" {
		c.Socket = config.Control.Socket
	}
	m.Daemon = func() error {
		_, err := c.call(e, "status")
		return err
	}
	if c.Probe {
		m.Probe = c.probe(e)
	}
	results := doctor.Examine(m)
	healthy := doctor.Healthy(results)
	if c.JSON {
		err = printJSON(e, diagnosis{Healthy: healthy, Checks: results})
	} else {
		err = doctor.Print(e.out, results)
	}
	if err == nil && !healthy {
		return errSilent
	}
	return err
}

// probeCard asks the graphics card's program; a driver that has to wake a card
// takes seconds.
func probeCard(path string) (string, error) {
	if _, err := gpu.Find(path); err != nil {
		return "", fmt.Errorf("%w: %w", doctor.ErrNoProgram, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return gpu.Probe(ctx, path)
}

// probe reads from the HAT unless a daemon would be disturbed by it.
func (c doctorCmd) probe(e *env) func(bus string, addr int) error {
	return func(bus string, addr int) error {
		if _, err := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "status"}); err == nil {
			return daemon.ErrRunning
		}
		return doctor.ReadByte(bus, addr)
	}
}
