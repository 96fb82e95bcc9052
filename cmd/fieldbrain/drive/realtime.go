package drive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// Realtime drives one scenario in real time, with the driver's threads, the
// daemon's loop and the kernel's clock, as on the robot. No two runs are equal then.
func (d *Drive) Realtime(sc *scenarios.Scenario, seed uint64, pilot string, o testbench.Options) (*testbench.Result, error) {
	loop.MakeRoom()
	d.crowded = true // the driver's threads allocate for errors
	d.paced = true
	rig, err := testbench.NewRig(sc, seed, d.clock)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", sc.Name, err)
	}
	if d.rows = o.Rows; d.rows {
		rig.KeepRows(max(o.Length, sc.Length()))
	}
	rig.Compare(o.Map)
	if d.holds() {
		rig.Hold()
	}
	tick, err := d.chosen(pilot)(rig.Vehicle(o.Period))
	if err != nil {
		return nil, err
	}
	result, err := d.follow(rig, tick, o)
	if d.mind != nil {
		err = errors.Join(err, d.mind.Close())
	}
	if err != nil {
		return nil, err
	}
	result.Pilot = pilot
	return result, nil
}

// follow runs driver and loop until the time is up, the scenario's own end has
// come or the options say stop, and then stops the motors.
func (d *Drive) follow(rig *testbench.Rig, tick func(time.Duration), o testbench.Options) (*testbench.Result, error) {
	length := o.Length
	if length == 0 {
		length = rig.Scenario.Length()
	}
	params := loop.Default()
	params.Period = o.Period
	var run *loop.Loop
	run, err := loop.New(d.clock, params, loop.Hooks{
		Tick: tick, Paced: func(first time.Duration) { rig.Pace(first, o.Period) },
		After: func(s loop.Sample) { d.over(s, run.Counts()) },
	})
	if err != nil {
		return nil, err
	}
	work, endWork := context.WithCancel(context.Background())
	defer endWork()
	driver := make(chan error, 1)
	go func() { driver <- rig.Run(work) }()
	around, endLoop := context.WithTimeout(context.Background(), length)
	defer endLoop()
	go func() { // looks ten times a second; the loop must not
		for around.Err() == nil {
			d.clock.SleepUntil(d.clock.Now() + 100*time.Millisecond)
			if o.Progress != nil {
				o.Progress(min(rig.Elapsed(), length), length)
			}
			if rig.Over() || around.Err() == nil && o.Stop != nil && o.Stop() {
				endLoop()
			}
		}
	}()
	err = run.Run(around)
	d.counts, d.lates = run.Counts(), rig.Driver.Stats().Lates
	result := rig.ResultOf(length)
	result.Ticks = d.counts.Ticks
	d.after(rig, result)
	endWork() // the driver halts the motors before it ends
	return result, errors.Join(err, <-driver)
}
