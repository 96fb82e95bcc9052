package main

import (
	"errors"

	"fieldbrain/daemon"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// realCar opens the Robot HAT and builds the car on it. Opening changes no
// output: the driver resets the HAT when its threads run.
func realCar(c daemon.Config, clock robot.Clock, tune func(*gpu.Options)) (*car, error) {
	p, against := driverParams(c.Body)
	if len(against) > 0 {
		return nil, against // run has looked before; a file may have changed since
	}
	wire, release, err := picarx.Open(picarx.Site{Header: c.Body.Header, Bus: c.Body.Bus, Clock: clock})
	if err != nil {
		return nil, err
	}
	driver, err := picarx.New(wire, p)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	m, err := newMind(c, seat{
		body: driver, clock: clock, seed: 1, driver: p, task: c.Brain,
		worker: raiseWorker(c), tune: tune,
	})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &car{
		mind: m, body: driver, driver: driver, work: driver.Run,
		picture: func() []string { return headingBar(m.brain.Remote().Status()) },
		release: release,
	}, nil
}
