package car

import (
	"errors"

	"fieldbrain/daemon/config"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// realCar opens the Robot HAT and builds the car on it. Opening changes no
// output: the driver resets the HAT when its threads run.
func realCar(c config.Config, clock robot.Clock, tune func(*gpu.Options)) (*Car, error) {
	p, against := DriverParams(c.Body)
	if len(against) > 0 {
		return nil, against // Preflight has looked before; a file may have changed since
	}
	wire, release, err := picarx.Open(picarx.Site{Header: c.Body.Header, Bus: c.Body.Bus, Clock: clock})
	if err != nil {
		return nil, err
	}
	driver, err := picarx.New(wire, p)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	m, err := NewMind(c, Seat{
		Body: driver, Clock: clock, Seed: 1, Driver: p, Task: Task(c, nil),
		Worker: raiseWorker(c), Tune: tune,
	})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &Car{Mind: m, Body: driver, Driver: driver, Work: driver.Run, release: release}, nil
}
