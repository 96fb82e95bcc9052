package car

import (
	"cmp"
	"errors"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/guard"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// realCar opens the Robot HAT and builds the car on it. Opening changes no
// output but the reset line: the driver resets the HAT when its threads run.
func realCar(c config.Config, clock robot.Clock, tune func(*gpu.Options)) (*Car, error) {
	p, against := DriverParams(c.Body)
	if len(against) > 0 {
		return nil, against // Preflight has looked before; a file may have changed since
	}
	site := picarx.Site{Header: c.Body.Header, Bus: c.Body.Bus, Clock: clock}
	ward, err := newWard(c.Body, site)
	if err != nil {
		return nil, err
	}
	if ward != nil { // it opens no line of its own: without a guard the car stays in reset
		site.Reset = ward
	}
	wire, release, err := picarx.Open(site)
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
	return &Car{Mind: m, Body: driver, Driver: driver, Work: driver.Run, Guard: ward, release: func() error {
		err := release()
		if ward != nil {
			err = errors.Join(err, ward.Close())
		}
		return err
	}}, nil
}

// newWard returns the car as its guard's ward, nil where the settings do without
// one. That no guard runs yet is no error: the service says so, and looks again.
func newWard(b config.Body, site picarx.Site) (*guard.Ward, error) {
	if b.Guard == "off" {
		return nil, nil
	}
	board, err := site.Board()
	if err != nil {
		return nil, err
	}
	ward := guard.New(GuardSocket(b), board, site.Clock)
	_ = ward.Renew()
	return ward, nil
}

// GuardSocket returns where the car's guard listens.
func GuardSocket(b config.Body) string { return cmp.Or(b.GuardSocket, guard.DefaultSocket) }
