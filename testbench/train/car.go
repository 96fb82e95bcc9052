package train

import (
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/vector"
)

// A car is one of a fleet's with what the bench's car has around its plant: sensors
// that judge silence, a driver, reflexes, pins.
type car struct {
	number int // in the fleet
	driver *policy.Driver
	ideal  *picarx.Ideal
	ears   [vector.MaxSonars]robot.Hearing
	state  robot.State
	score  score
}

// battery is how often the pack is measured.
const battery = time.Second

// newCar puts a policy into a car of the fleet that stands in an arena.
func newCar(number int, p *policy.Policy, a *arena) (*car, error) {
	driver, err := policy.NewDriver(p, a.seat)
	if err != nil {
		return nil, err
	}
	ideal, err := picarx.NewIdeal(a.seat.Params)
	if err != nil {
		return nil, err
	}
	c := &car{number: number, driver: driver, ideal: ideal, score: newScore(a)}
	for i := range c.ears {
		c.ears[i].Trust = a.seat.Params.Sonar.Trust
	}
	return c, nil
}

// lead is how many steps a car stands before its clock begins, so that it pings a step
// before its first tick, as the bench's beams do.
func lead(period time.Duration) int { return vector.PingSteps - int(period/plant.Tick) + 1 }

// sense brings the state up to date at a tick: age is the car's steps since its reset.
func (c *car) sense(f *vector.Fleet, sectors []int, age int, now, period time.Duration) {
	s := &c.state
	s.Now = now
	every := int(period / plant.Tick)
	fresh := func(steps int) (at time.Duration, is bool) {
		late := age % steps
		return now - time.Duration(late)*plant.Tick, late < every && age >= steps
	}
	heard, pinged := fresh(vector.PingSteps)
	looked, seen := fresh(vector.LookSteps)
	if pinged || seen {
		r := f.Read(c.number)
		for i, sector := range sectors {
			switch {
			case !pinged:
			case r.Range[i] < 0:
				s.Range[sector] = c.ears[i].Silence(heard)
			default:
				s.Range[sector] = c.ears[i].Echo(float32(r.Range[i]), heard)
			}
		}
		for i, counts := range r.Floor {
			if seen {
				s.Floor[i] = robot.Reading{Value: float32(counts) / picarx.FloorScale, At: looked, OK: true}
			}
		}
	}
	if !s.Battery.OK || now-s.Battery.At >= battery {
		s.Battery = robot.Reading{Value: float32(f.Truth(c.number).Volts), At: now, OK: true}
	}
	s.CommandedSpeed, s.CommandedSteering = c.ideal.Told()
}

// tick lets the car decide and sets its pins.
func (c *car) tick(f *vector.Fleet, now time.Duration) {
	pins := c.ideal.Step(now, c.driver.Tick(&c.state, now))
	f.Act(c.number, vector.Action{Left: pins.Left, Right: pins.Right, Pulse: pins.Pulse})
}
