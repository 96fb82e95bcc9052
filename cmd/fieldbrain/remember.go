package main

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/daemon"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/robot/picarx"
)

// runningHeader says whose mind a configuration builds.
func runningHeader(c daemon.Config, seed uint64, cal *picarx.Calibration, version string) (memory.Header, error) {
	text, err := cal.Encode()
	if err != nil {
		return memory.Header{}, err
	}
	p := fieldParams(time.Duration(c.Loop.Period), uint32(seed), c.Brain.Recall)
	return memory.Header{
		Body: c.Body.Kind, Program: version, Shape: memory.Shape(&p), Constants: memory.Constants(&p),
		Calibration: memory.Text(text), Period: p.Period, Key: seed,
	}, nil
}

// remember opens the mind's folder, restores what fits and prepares the saves.
// Whatever goes wrong, the car can drive: the mind then begins fresh, or is not
// saved, and a condition says so.
func (s *service) remember(getenv func(string) string) error {
	path := memoryFolder(s.config, getenv)
	if path == "" {
		s.log.Info().Msg("nothing of the mind is kept over a restart")
		return nil
	}
	folder, err := openMemory(s.config, getenv)
	if err != nil {
		s.noteKept(err)
		return nil
	}
	running, err := runningHeader(s.config, s.car.seed, s.car.calibration, s.build.Version)
	if err != nil {
		return errors.Join(err, folder.Close())
	}
	s.keeper = newKeeper(folder, s.config, s.car.mind, running)
	if !s.config.Memory.Restore {
		s.keeper.began("memory.restore is false")
		s.log.Info().Str("folder", path).Msg("the mind begins fresh: memory.restore is false")
		return nil
	}
	s.recall(folder, &running)
	return nil
}

// recall restores the newest file that is sound and fits. Files of another kind
// of mind are moved aside, so that no save replaces them.
func (s *service) recall(folder *store.Folder, running *memory.Header) {
	why := "there is no saved one"
	names, err := store.List(folder.Path())
	if err != nil {
		why = err.Error()
	}
	var foreign []string
	for _, name := range names {
		err := s.restore(name, running)
		if err == nil {
			why = ""
			break
		}
		if errors.Is(err, memory.ErrForeign) {
			foreign = append(foreign, name)
		}
		why = err.Error()
		s.log.Warn().Str("file", name).Err(err).Msg("a saved mind was refused")
	}
	if len(foreign) > 0 {
		to, err := store.Aside(folder.Path(), foreign)
		s.log.Warn().Str("to", to).Int("files", len(foreign)).AnErr("error", err).Msg("saved minds that do not fit were moved aside")
	}
	s.conditions.Put(daemon.Condition{
		Name: "recall", Value: "the mind began fresh, no saved one could be restored", Cause: why,
		Remedy: "none needed to drive; see fieldbrain brain show FILE, and docs/memory.md",
	}, why != "" && (err != nil || len(names) > 0))
	if why != "" {
		s.keeper.began(why)
		s.log.Info().Str("because", why).Msg("the mind begins fresh")
	}
}

// restore puts one file into the mind.
func (s *service) restore(name string, running *memory.Header) error {
	data, err := store.Read(name)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	shot, err := memory.Decode(data, &table)
	if err != nil {
		return err
	}
	fit, err := shot.Fit(running)
	if err != nil {
		return err
	}
	if err := shot.Restore(s.car.engine, s.car.brain, &table, 0, fit.Learned); err != nil {
		return err
	}
	if !s.config.Brain.Recall {
		s.keeper.held = shot
	}
	s.keeper.restored(name, shot)
	line := s.log.Info().Str("file", name).Uint64("tick", shot.Tick).Str("age", age(shot.Saved, time.Now()))
	if len(fit.Notes) > 0 {
		line = line.Strs("notes", fit.Notes)
	}
	line.Msg("the mind goes on where it was saved")
	return nil
}

// age says how long ago something was, as far as the wall clock can be trusted.
func age(then, now time.Time) string {
	if now.Before(then) {
		return fmt.Sprintf("unknown: the clock stands before %s", then.UTC().Format(time.RFC3339))
	}
	return now.Sub(then).Round(time.Second).String()
}

// began notes that the mind is a fresh one, and why.
func (k *keeper) began(why string) {
	k.kept.Fresh = why
	k.publish()
}

// restored notes which file the mind came from.
func (k *keeper) restored(name string, shot *memory.Snapshot) {
	k.kept.From, k.kept.FromTick, k.kept.FromAt = name, shot.Tick, shot.Saved
	k.publish()
}

// lastMind copies the mind when the loop has ended, or returns nil when nothing
// is to be saved: nothing is kept, nothing was lived, or the loop failed, and what
// failed may be in it.
func (s *service) lastMind(loop error) *memory.Snapshot {
	switch {
	case s.keeper == nil, s.loop.Counts().Ticks == 0:
		return nil
	case loop != nil:
		s.log.Warn().Msg("the mind is not saved: the loop failed; its files stay as they are")
		return nil
	}
	return s.keeper.last()
}

// endMemory saves the last mind, if there is one, and gives the folder to
// others. What saves while the car drives has ended.
func (s *service) endMemory(last *memory.Snapshot) error {
	if s.keeper == nil {
		return nil
	}
	defer s.keeper.folder.Close() // its lock ends with the process in any case
	if last == nil {
		return nil
	}
	if err := s.keeper.write(last); err != nil {
		return fmt.Errorf("the mind was not saved at the end: %w (%s)", err, storeRemedy(err))
	}
	kept := s.keeper.told.Get()
	s.log.Info().Str("file", kept.Last).Uint64("tick", kept.LastTick).Msg("the mind is saved")
	return nil
}
