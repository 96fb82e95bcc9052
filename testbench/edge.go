package testbench

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// PWM channels of the motors.
const (
	rightMotor = 12
	leftMotor  = 13
)

// warning is how long after a sensor saw the edge a fall counts as announced.
const warning = time.Second

// reaction is how long the reflex may take from a sensor past the edge to motors that
// brake: a sweep of the sensors, two readings and a tick (B4, edge_latency_s).
const reaction = 25 * time.Millisecond

// enough returns how long before the car gets somewhere it has to be warned to stand
// before: the reaction, and what its first order takes from its speed v to standstill
// with both motors in reverse, lag ln(1 + v/top).
func enough(c *plant.Car) time.Duration {
	p := c.Params()
	brake := p.Lag * math.Log1p(math.Abs(c.Speed)/p.TopSpeed)
	return reaction + time.Duration(brake*float64(time.Second))
}

// An edgeRecord measures what happens at the edge of a table.
type edgeRecord struct {
	over      bool          // a floor sensor is past the edge
	since     time.Duration // since when
	told      time.Duration // since when in a row of crossings, each within the warning of the one before
	odometer  float64       // m at that moment
	forward   bool          // it came forward
	reacted   bool          // the motors were stopped or reversed since
	stopped   bool          // the car stood or went back since
	crossings int
	latency   time.Duration // longest from crossing to motors stopped
	way       float64       // m, longest from crossing to standstill
	leave     time.Duration // longest from crossing until all sensors are back
	wheels    int           // steps with a wheel of the bicycle past the edge
	corners   int           // steps with one of the four wheels past it
}

// watchEdge follows one crossing: a sensor passes the edge, the motors are
// stopped, the car stands, all sensors are back over the table.
func (m *recorder) watchEdge(c *plant.Car, out *hat.Outputs) {
	e, floor := &m.edge, &m.rig.world.Floor
	over := false
	for sensor := range robot.NumFloor {
		over = over || floor.Past(c.FloorPlace(sensor))
	}
	if over && !e.over {
		m.meet(c)
		*e = edgeRecord{
			over: true, since: c.Now, told: e.row(c.Now), odometer: c.Odometer, forward: c.Speed > 0,
			crossings: e.crossings + 1, latency: e.latency, way: e.way, leave: e.leave,
			wheels: e.wheels, corners: e.corners,
		}
		m.event(c, Edge)
	}
	if over {
		e.leave = max(e.leave, c.Now-e.since)
	}
	e.over = over
	if e.since != 0 && !e.stopped && e.forward {
		m.followStop(c, out)
	}
	if over && c.Now >= m.look {
		m.meet(c)
	}
	m.watchWheels(c)
}

// row returns since when a sensor tells of the edge, where it passes one at now.
func (e *edgeRecord) row(now time.Duration) time.Duration {
	if e.since != 0 && now-e.since <= warning {
		return e.told
	}
	return now
}

// notice returns for how long a sensor had told of the edge before now, 0 where none did
// within the warning.
func (e *edgeRecord) notice(now time.Duration) time.Duration {
	if e.since == 0 || !e.over && now-e.since > warning {
		return 0
	}
	return now - e.told
}

// watchWheels counts the steps with a wheel past the edge, and notes the first that is
// a fall.
func (m *recorder) watchWheels(c *plant.Car) {
	e, floor := &m.edge, &m.rig.world.Floor
	axle := floor.Past(c.At) || floor.Past(c.Place(c.Params().Wheelbase, 0))
	if axle {
		e.wheels++
	}
	wheel, where := false, c.Place(c.Params().Wheelbase, 0)
	for _, p := range c.Wheels() {
		if floor.Past(p) {
			wheel, where = true, p
		}
	}
	if wheel {
		e.corners++
	}
	fell := wheel
	if m.rig.Scenario.Measure.Fall == scenarios.FallAxle {
		fell = axle
	}
	if fell && m.fellAt == never {
		m.fellAt = c.Now
		m.unwarned = e.notice(c.Now) < enough(c)
		m.fall = m.explain(c, where)
		m.event(c, Fall)
	}
}

// followStop takes the reaction time and the stopping way of a crossing.
func (m *recorder) followStop(c *plant.Car, out *hat.Outputs) {
	e := &m.edge
	driven := (out.Duty[leftMotor] > 0 && !out.Left) || (out.Duty[rightMotor] > 0 && out.Right)
	if !e.reacted {
		e.latency = max(e.latency, c.Now-e.since)
		e.reacted = !driven
	}
	e.way = max(e.way, c.Odometer-e.odometer)
	e.stopped = c.Speed <= 0.001
}
