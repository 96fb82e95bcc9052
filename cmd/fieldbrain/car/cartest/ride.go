package cartest

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// Scenario returns a scenario of the bench by its name.
func Scenario(t testing.TB, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// NewMind seats a mind of the given settings on a scenario of one seed, and ends
// it with the test. wrap puts a body between brain and driver; nil leaves the
// driver's own. Nothing drives the rig yet.
func NewMind(
	t testing.TB, settings config.Config, scenario string, seed uint64, wrap func(robot.Body) robot.Body,
) (*car.Mind, *testbench.Rig) {
	t.Helper()
	sc := Scenario(t, scenario)
	rig, err := testbench.NewRig(sc, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := rig.Vehicle(testbench.DefaultPeriod)
	body := s.Body
	if wrap != nil {
		body = wrap(body)
	}
	m, err := car.NewMind(settings, car.Seat{Body: body, Clock: s.Clock, Seed: seed, Driver: s.Params, Task: car.Task(settings, sc)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m, rig
}

// A Ride is a brain on the bench with hooks around every tick. Without them it
// is the drive of fieldbrain sim.
type Ride struct {
	Rig    *testbench.Rig
	Mind   *car.Mind
	Silent bool                                    // the loop hangs: no ticks
	Armed  bool                                    // the car has been armed
	After  func(now time.Duration, t *brain.Trace) // runs after every tick; may be nil
}

// NewRide builds a scenario of one seed with the default settings. wrap puts a
// body between brain and driver; nil leaves the driver's own.
func NewRide(t testing.TB, scenario string, seed uint64, wrap func(robot.Body) robot.Body) *Ride {
	t.Helper()
	return RideOf(NewMind(t, config.Default(), scenario, seed, wrap))
}

// RideOf lets a mind drive a rig, in which it sits.
func RideOf(m *car.Mind, rig *testbench.Rig) *Ride {
	r := &Ride{Mind: m, Rig: rig}
	rig.Drive(testbench.DefaultPeriod, r.tick)
	return r
}

func (r *Ride) tick(now time.Duration) {
	if r.Silent {
		return
	}
	t := r.Mind.Brain.Tick(now)
	if r.After != nil {
		r.After(now, t)
	}
	r.Armed = r.Armed || r.Mind.Brain.Arm() == nil
}

// Speed returns the car's true speed in m/s.
func (r *Ride) Speed() (v float64) {
	r.Rig.Truth(func(c *plant.Car, _ *world.World) { v = c.Speed })
	return v
}

// Duty returns the larger of the two motors' duties on the board's pins, 0 to 1.
func (r *Ride) Duty() (d float64) {
	r.Rig.Board.CatchUp(func(_ time.Duration, out *hat.Outputs) { d = max(out.Duty[12], out.Duty[13]) })
	return d
}
