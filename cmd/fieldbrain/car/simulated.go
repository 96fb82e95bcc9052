package car

import (
	"fmt"

	"fieldbrain"
	"fieldbrain/daemon/config"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/seat"
)

// simulated builds the bench's car in real time: the unmodified driver on a
// simulated Robot HAT in a simulated world.
func simulated(c config.Config, clock robot.Clock, tune func(*gpu.Options)) (*Car, error) {
	sc, err := family.Open(c.Body.Scenario)
	if err != nil {
		return nil, config.UsageError{Err: err}
	}
	rig, err := testbench.NewRig(sc, uint64(c.Body.Seed), clock)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", sc.Name, err)
	}
	m, err := NewMind(c, Seat{
		Body: rig.Body(), Clock: clock, Seed: uint64(c.Body.Seed),
		Driver: rig.Params, Task: Task(c, sc), Worker: raiseWorker(c),
		Tune: tune,
	})
	if err != nil {
		return nil, err
	}
	return &Car{
		Mind: m, Body: rig.Body(), Driver: rig.Driver, Work: rig.Run, Rig: rig,
		release: func() error { return nil },
	}, nil
}

// Task joins what the scenario expects of the brain and what the configuration
// wants: either may switch a behaviour on, the slower cruise speed wins. Cliff
// detection is as the configuration says where that says on or off, else as the
// scenario asks: a world without edges may have dark floors. The real car has no
// scenario: nil.
func Task(c config.Config, sc *scenarios.Scenario) fieldbrain.Task {
	task := fieldbrain.Task{
		Cruise: c.Brain.Cruise, Goal: c.Brain.Goal, FollowLine: c.Brain.FollowLine,
		Explore: c.Brain.Explore, Planner: c.Brain.Planner, Recall: c.Brain.Recall,
		Arrival: c.Brain.Arrival, Law: c.Law.Params(), Manual: c.Manual.Params(),
	}
	if sc != nil {
		task = seat.Task(task, sc.Brain)
	}
	task.Cliff = c.Brain.CliffOn()
	if sc != nil && c.Brain.Cliff == "auto" {
		task.Cliff = bool(sc.Brain.Cliff)
	}
	return task
}
