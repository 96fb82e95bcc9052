package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/scenarios"
)

// behaveParts lists the parts for the behaviours that this build has. Minds obey
// the Variant named beside each.
func behaveParts(settings config.Config) behave.Parts {
	keep := keeping{settings}
	return behave.Parts{
		Outcome: func(b *brain.Brain, o float32) { b.Remote().Outcome(o) }, // pattern library: B14; Variant.Forgets
		Planner: true,                                                      // B13; Variant.Planner
		Rungs:   quality.Names()[2:],                                       // below "auto" and "full": B15; Variant.Rung
		Save:    keep.save,                                                 // B14
		Load:    keep.load,                                                 // B14, S6
		Saver:   savingProcess,                                             // S6
	}
}

// minds makes the brains of the behavioural suite, with a part of the field taken
// away where a variant does not say which.
func minds(settings config.Config, worth ablation.Kind) behave.Maker {
	return func(s testbench.Vehicle, v behave.Variant) (*behave.Mind, error) {
		c := settings
		if v.Engine != "" {
			c.Engine.Kind = v.Engine
		}
		c.Engine.Quality = cmp.Or(v.Rung, "full")
		c.Loop.Period = config.Duration(s.Period)
		task := car.Task(c, s.Scenario)
		task.Explore, task.Recall = v.Planner, task.Recall && !v.Forgets
		seat := car.Seat{Body: s.Body, Clock: s.Clock, Seed: s.Seed, Driver: s.Params, Task: task, Field: worth}
		if v.Field != "" {
			seat.Field = v.Field
		}
		m, err := car.NewMind(c, seat)
		if err != nil {
			return nil, err
		}
		return &behave.Mind{Brain: m.Brain, Engine: m.Engine, Close: m.Close}, nil
	}
}

// bareField makes engines without a brain: the processor's, or the card alone.
func bareField(c config.Engine) func(p field.Params, isa string) (field.Engine, error) {
	return func(p field.Params, isa string) (field.Engine, error) {
		e := c
		if isa != "" {
			e.Kind = isa
		}
		return car.NewEngine(e, p, nil)
	}
}

// keeping saves and restores the brains of the suite as the daemon does.
type keeping struct{ settings config.Config }

// header says whose brains they are: the body is the bench's, no calibration.
func (k keeping) header() memory.Header {
	p := car.FieldParams(time.Duration(k.settings.Loop.Period), 0, true)
	return memory.Header{
		Body: "bench", Program: thisBuild().Version, Shape: memory.Shape(&p), Constants: memory.Constants(&p),
		Period: p.Period, Saved: time.Now(),
	}
}

func (k keeping) save(m *behave.Mind, path string) error {
	folder, err := store.Open(path, k.settings.Memory.Keep)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	shot := memory.New(&table)
	shot.Header, shot.Engine = k.header(), m.Engine.Name()
	distinct := memory.Distinct(m.Engine, &table)
	shot.Take(distinct, m.Brain)
	patterns := memory.NewPatterns()
	for !patterns.Follow(distinct) {
		if patterns.Short() {
			patterns.Grow()
		}
	}
	shot.Parts = patterns.Parts()
	data, err := shot.Encode()
	if err == nil {
		_, err = folder.Save(data)
	}
	return errors.Join(err, folder.Close())
}

// load restores the newest file that is sound and fits.
func (k keeping) load(m *behave.Mind, path string) error {
	names, err := store.List(path)
	if err != nil {
		return err
	}
	table, running := field.PiCarX(), k.header()
	errs := []error{fmt.Errorf("%s: none of %d saved brains can be restored", path, len(names))}
	for _, name := range names {
		data, err := store.Read(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		shot, err := memory.Decode(data, &table)
		if err == nil {
			_, err = shot.Fit(&running)
		}
		if err == nil {
			return shot.Restore(m.Engine, m.Brain, &table, 0, true)
		}
		errs = append(errs, fmt.Errorf("%s: %w", filepath.Base(name), err))
	}
	return errors.Join(errs...)
}

// savingProcess starts this program as one that saves until somebody kills it.
func savingProcess(folder string) (kill func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: self, Args: []string{"fieldbrain", "bench", "save-endlessly", folder}, Stderr: os.Stderr}
	if _, err = cmd.StdinPipe(); err != nil { // its end tells the child that its parent has gone
		return nil, err
	}
	if err = cmd.Start(); err != nil {
		return nil, err
	}
	return func() error {
		err := cmd.Process.Kill()
		_ = cmd.Wait() // it says that it was killed
		return err
	}, nil
}

// saveEndlesslyCmd is the inside of S6: it drives the room and saves the brain
// again and again until somebody kills it, or until its parent has gone.
type saveEndlesslyCmd struct {
	Folder string `arg:"" help:"Folder for the saved brains."`
}

// Run saves until it fails.
func (c saveEndlesslyCmd) Run() error {
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(exitFailed)
	}()
	settings := config.Default()
	room, err := scenarios.Load("room")
	if err != nil {
		return err
	}
	rig, err := testbench.NewRig(room, 1, nil)
	if err != nil {
		return err
	}
	seat := rig.Vehicle(time.Duration(settings.Loop.Period))
	m, err := minds(settings, ablation.Neural)(seat, behave.Variant{})
	if err != nil {
		return err
	}
	rig.Drive(seat.Period, func(now time.Duration) { m.Brain.Tick(now) })
	for err == nil {
		rig.AdvanceTo(rig.Clock().Now() + 10*seat.Period)
		err = keeping{settings}.save(m, c.Folder)
	}
	return errors.Join(err, m.Close())
}
