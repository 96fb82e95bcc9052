package main

import (
	"fmt"

	"fieldbrain/daemon"
	"fieldbrain/gpu"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// simulatedCar builds the bench's car in real time: the unmodified driver on a
// simulated Robot HAT in a simulated world.
func simulatedCar(c daemon.Config, clock robot.Clock, tune func(*gpu.Options)) (*car, error) {
	car, _, err := simulatedRig(c, clock, tune)
	return car, err
}

// simulatedRig is simulatedCar with the bench that the car stands on.
func simulatedRig(c daemon.Config, clock robot.Clock, tune func(*gpu.Options)) (*car, *testbench.Rig, error) {
	sc, err := scenarios.Load(c.Body.Scenario)
	if err != nil {
		return nil, nil, usageError{err}
	}
	rig, err := testbench.NewRig(sc, uint64(c.Body.Seed), clock)
	if err != nil {
		return nil, nil, fmt.Errorf("build %s: %w", sc.Name, err)
	}
	m, err := newMind(c, seat{
		body: rig.Body(), clock: clock, seed: uint64(c.Body.Seed),
		driver: rig.Params, task: taskOf(c, sc), worker: raiseWorker(c),
		tune: tune,
	})
	if err != nil {
		return nil, nil, err
	}
	view := newMap(rig)
	return &car{
		mind: m, body: rig.Body(), driver: rig.Driver, work: rig.Run,
		picture: func() []string { return append(headingBar(m.brain.Remote().Status()), view.draw()...) },
		release: func() error { return nil },
	}, rig, nil
}

// taskOf joins what the scenario expects of the brain and what the
// configuration wants: either may switch a behaviour on, the slower cruise
// speed wins. Cliff detection is as the configuration says where that says on
// or off, else as the scenario asks: a world without edges may have dark floors.
func taskOf(c daemon.Config, sc *scenarios.Scenario) daemon.BrainConfig {
	task := c.Brain
	task.Goal = task.Goal || sc.Brain.Goal
	task.FollowLine = task.FollowLine || sc.Brain.Line
	task.Explore = task.Explore || sc.Brain.Explore
	if task.Cliff == "auto" {
		task.Cliff = "off"
		if sc.Brain.Cliff {
			task.Cliff = "on"
		}
	}
	task.Cruise = min(task.Cruise, sc.Brain.Cruise)
	return task
}
