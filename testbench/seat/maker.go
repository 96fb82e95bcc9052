package seat

import (
	"time"

	"fieldbrain"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// A Maker makes a brain for each vehicle of the bench:
//
//	m := seat.New(fieldbrain.Default())
//	defer m.Close()
//	result, err := testbench.Run(room, 7, m.Pilot, testbench.Options{})
//
// Its runs follow one another; each has a brain of its own.
type Maker struct {
	options fieldbrain.Options
	brain   *fieldbrain.Brain
}

// New returns a maker of brains that arm as soon as they may. Shape, period, seed and
// clock come from the vehicle, and the scenario may ask for more than the task.
func New(o fieldbrain.Options) *Maker {
	o.Arm = true
	return &Maker{options: o}
}

// Pilot is a testbench.Pilot: a new brain drives the vehicle. It ends the one before.
func (m *Maker) Pilot(v testbench.Vehicle) (tick func(now time.Duration), err error) {
	if err := m.Close(); err != nil {
		return nil, err
	}
	o := m.options
	o.Task = Task(o.Task, v.Scenario.Brain)
	o.Shape, o.Period, o.Seed, o.Clock = fieldbrain.PiCarX(v.Params.Sheet()), v.Period, v.Seed, v.Clock
	if m.brain, err = fieldbrain.New(v.Body, o); err != nil {
		return nil, err
	}
	return func(now time.Duration) {
		m.brain.Tick(now)
		bearing, mass := m.brain.Heading()
		v.Note(testbench.Peak{Bearing: bearing, Mass: mass})
	}, nil
}

// Brain returns the brain of the newest run, nil before the first.
func (m *Maker) Brain() *fieldbrain.Brain { return m.brain }

// Close ends the newest brain's engine.
func (m *Maker) Close() error {
	if m.brain == nil {
		return nil
	}
	err := m.brain.Close()
	m.brain = nil
	return err
}

// Task returns a task with what a scenario asks for added: it may switch a behaviour on,
// and the slower cruise speed wins.
func Task(t fieldbrain.Task, asked scenarios.Brain) fieldbrain.Task {
	t.Cruise = min(t.Cruise, asked.Cruise)
	t.Goal = t.Goal || asked.Goal
	t.FollowLine = t.FollowLine || asked.FollowLine
	t.Explore = t.Explore || asked.Explore
	t.Cliff = t.Cliff || bool(asked.Cliff)
	return t
}
