package service

import (
	"errors"
	"fmt"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/robot/picarx"
)

// runningHeader says whose brain a configuration builds.
func runningHeader(c config.Config, seed uint64, cal *picarx.Calibration, version string) (memory.Header, error) {
	text, err := cal.Encode()
	if err != nil {
		return memory.Header{}, err
	}
	p := car.FieldParams(time.Duration(c.Loop.Period), seed, c.Brain.Recall)
	field.Reduce(&p.Table, c.Engine.Planes)
	return memory.Header{
		Body: c.Body.Kind, Program: version, Shape: memory.Shape(&p), Constants: memory.Constants(&p),
		Calibration: memory.Text(text), Period: p.Period, Key: seed,
	}, nil
}

// Restore opens the folder of saved brains, restores the newest that fits and
// prepares the saves. The car can drive after any failure here: the brain then
// begins fresh, or nothing saves it, and a condition says so.
func (s *Service) Restore(getenv func(string) string) error {
	path := Folder(s.settings, getenv)
	if path == "" {
		s.log.Info().Msg("the brain is not saved, the next start begins fresh")
		return nil
	}
	folder, err := openFolder(s.settings, getenv)
	if err != nil {
		s.noteSave(err)
		return nil
	}
	running, err := runningHeader(s.settings, s.car.Seed, s.car.Calibration, s.version)
	if err != nil {
		return errors.Join(err, folder.Close())
	}
	s.autosave = newAutosave(folder, s.settings, s.car.Mind, running)
	if !s.settings.Memory.Restore {
		s.autosave.began("memory.restore is false")
		s.log.Info().Str("folder", path).Msg("the brain begins fresh: memory.restore is false")
		return nil
	}
	s.restoreNewest(folder, &running)
	return nil
}

// restoreNewest restores the newest file that is sound and fits. It moves files
// of another kind of brain aside, so that no save replaces them.
func (s *Service) restoreNewest(folder *store.Folder, running *memory.Header) {
	for _, unread := range folder.Passed() {
		s.log.Warn().Str("folder", unread).Str("remedy", "sudo chown --reference="+folder.Path()+" "+unread).Msg("brains that were moved aside cannot be read: do not move them back before")
	}
	why := "there is no saved one"
	names, err := store.List(folder.Path())
	if err != nil {
		why = err.Error()
	}
	var foreign []string
	for _, name := range names {
		err := s.restoreFile(name, running)
		if err == nil {
			why = ""
			break
		}
		if errors.Is(err, memory.ErrForeign) {
			foreign = append(foreign, name)
		}
		why = err.Error()
		s.log.Warn().Str("file", name).Err(err).Msg("a saved brain was refused")
	}
	if len(foreign) > 0 {
		to, err := store.Aside(folder.Path(), foreign)
		s.log.Warn().Str("to", to).Int("files", len(foreign)).AnErr("error", err).Msg("saved brains that do not fit were moved aside")
	}
	s.conditions.Put(loop.Condition{
		Name: "recall", Value: "the brain began fresh, no saved one could be restored", Cause: why,
		Remedy: "none needed to drive; see fieldbrain brain show FILE, and docs/memory.md",
	}, why != "" && (err != nil || len(names) > 0))
	if why != "" {
		s.autosave.began(why)
		s.log.Info().Str("because", why).Msg("the brain begins fresh")
	}
}

// restoreFile puts one file into the brain.
func (s *Service) restoreFile(name string, running *memory.Header) error {
	data, err := store.Read(name)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	shot, fit, err := suitable(data, &table, running)
	if err != nil {
		return err
	}
	if err := shot.Restore(s.car.Engine, s.car.Brain, &table, 0, fit.Learned); err != nil {
		return err
	}
	s.begun = beginning{brain: data, learned: fit.Learned}
	if !s.settings.Brain.Recall {
		s.autosave.held = shot
	}
	s.autosave.restored(name, shot)
	line := s.log.Info().Str("file", name).Uint64("tick", shot.Tick).Str("age", age(shot.Saved, time.Now()))
	if len(fit.Notes) > 0 {
		line = line.Strs("notes", fit.Notes)
	}
	line.Msg("the brain goes on where it was saved")
	return nil
}

// suitable decodes a saved brain that suits the running one. One that was frozen in the middle
// of a drive is none: it would go on armed, at another instant and in another place.
func suitable(
	data []byte, table *[field.Channels]field.Channel, running *memory.Header,
) (shot *memory.Snapshot, fit memory.Fit, err error) {
	shot, err = memory.Decode(data, table)
	if err == nil && len(shot.Frozen) > 0 {
		err = fmt.Errorf("%w: it was frozen in the middle of a drive, for fieldbrain replay alone", memory.ErrForeign)
	}
	if err == nil {
		fit, err = shot.Fit(running)
	}
	return shot, fit, err
}

// age says how long ago something was, as far as the wall clock can be trusted.
func age(then, now time.Time) string {
	if now.Before(then) {
		return fmt.Sprintf("unknown: the clock stands before %s", then.UTC().Format(time.RFC3339))
	}
	return now.Sub(then).Round(time.Second).String()
}

// began notes that the brain is a fresh one, and why.
func (a *autosave) began(why string) {
	a.kept.Fresh = why
	a.publish()
}

// restored notes which file the brain came from.
func (a *autosave) restored(name string, shot *memory.Snapshot) {
	a.kept.From, a.kept.FromTick, a.kept.FromAt = name, shot.Tick, shot.Saved
	a.publish()
}

// lastBrain copies the brain when the loop has ended. It returns nil when there is
// nothing to save: the configuration keeps nothing, the brain has not ticked, or
// the loop failed and its fault may be in the brain.
func (s *Service) lastBrain(loop error) *memory.Snapshot {
	switch {
	case s.autosave == nil, s.loop.Counts().Ticks == 0:
		return nil
	case loop != nil:
		s.log.Warn().Msg("the brain is not saved: the loop failed; its files stay as they are")
		return nil
	}
	return s.autosave.last()
}

// endMemory saves the last brain, if there is one, and gives the folder to
// others. The autosave's goroutine has ended before.
func (s *Service) endMemory(last *memory.Snapshot) error {
	if s.autosave == nil {
		return nil
	}
	defer s.autosave.folder.Close() // its lock ends with the process in any case
	if last == nil {
		return nil
	}
	if err := s.autosave.write(last); err != nil {
		return fmt.Errorf("the brain was not saved at the end: %w (%s)", err, FolderRemedy(err))
	}
	kept := s.autosave.told.Get()
	s.log.Info().Str("file", kept.Last).Uint64("tick", kept.LastTick).Msg("the brain is saved")
	return nil
}
