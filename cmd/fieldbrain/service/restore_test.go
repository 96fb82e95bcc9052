package service

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/testbench"
)

// fresh returns a service around a brain that has not ticked, with a folder of
// saved brains, and where its log lines go.
func fresh(t *testing.T, k *autosave) (*Service, *bytes.Buffer) {
	t.Helper()
	var lines bytes.Buffer
	log, err := daemon.NewLog(&lines, "info", true, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	settings := config.Default()
	m := *k.mind
	engine, err := car.NewEngine(settings.Engine, car.FieldParams(time.Duration(settings.Loop.Period), 7, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	m.Engine, m.Processor = engine, engine
	s := &Service{
		settings: settings, log: log, car: &car.Car{Mind: &m}, version: "test",
		conditions: loop.NewConditions(time.Now, log.Change),
	}
	s.autosave = newAutosave(k.folder, settings, &m, k.shot.Header)
	return s, &lines
}

// saved writes a copy with another header.
func saved(t *testing.T, k *autosave, change func(h *memory.Header)) string {
	t.Helper()
	shot := k.last()
	change(&shot.Header)
	if err := k.write(shot); err != nil {
		t.Fatal(err)
	}
	return k.told.Get().Last
}

// restored runs the start and returns the log.
func restored(t *testing.T, s *Service, k *autosave, lines *bytes.Buffer) string {
	t.Helper()
	running := k.shot.Header
	s.restoreNewest(k.folder, &running)
	if err := s.log.Close(); err != nil {
		t.Fatal(err)
	}
	return lines.String()
}

// TestRestoresThePrevious: of a foreign file, a damaged one and a good one the
// service restores the good one; it moves the foreign one out of every save's way.
func TestRestoresThePrevious(t *testing.T) {
	k := kept(t, 0)
	good := saved(t, k, func(*memory.Header) {})
	want := field.Hash(k.mind.Engine)
	k.folder.Close()
	var err error
	if k.folder, err = store.Open(filepath.Dir(good), 9); err != nil {
		t.Fatal(err)
	}
	defer k.folder.Close()
	broken := saved(t, k, func(*memory.Header) {})
	if err := os.Truncate(broken, 400_000); err != nil {
		t.Fatal(err)
	}
	foreign := saved(t, k, func(h *memory.Header) { h.Body = "picarx" })
	s, lines := fresh(t, k)
	text := restored(t, s, k, lines)
	if got := field.Hash(s.car.Engine); got != want {
		t.Errorf("the field is %#016x, want %#016x", got, want)
	}
	if got := s.autosave.told.Get(); got.From != good || got.FromTick == 0 || got.Fresh != "" || len(s.conditions.List()) != 0 {
		t.Errorf("%+v, %v; want %s to go on", got, s.conditions.List(), good)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(good), "aside-1", filepath.Base(foreign))); err != nil {
		t.Errorf("the foreign file was not moved aside: %v", err)
	}
	for _, part := range []string{"body \"picarx\", this one is \"sim\"", "damaged: it has 400000 bytes", "moved aside", "the brain goes on where it was saved"} {
		if !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), part) {
			t.Errorf("the log does not say %q:\n%s", part, text)
		}
	}
}

// TestRestoresNothing: with no sound file the brain begins fresh, and says why.
func TestRestoresNothing(t *testing.T) {
	k := kept(t, 0)
	foreign := saved(t, k, func(h *memory.Header) { h.Shape++ })
	s, lines := fresh(t, k)
	before := field.Hash(s.car.Engine)
	restored(t, s, k, lines)
	if field.Hash(s.car.Engine) != before {
		t.Error("a refused file changed the field")
	}
	list := s.conditions.List()
	if got := s.autosave.told.Get(); got.From != "" || !strings.Contains(got.Fresh, "shape") || len(list) != 1 || !strings.Contains(list[0].Cause, "use that program") {
		t.Errorf("%+v, %+v; want a fresh start with the reason", got, list)
	}
	if _, err := os.Stat(foreign); err == nil {
		t.Error("the foreign file is still where saves replace it")
	}
}

// TestRestoreWithoutAFolder: one that has gone since it was opened keeps no car
// from starting.
func TestRestoreWithoutAFolder(t *testing.T) {
	k := kept(t, 0)
	if err := os.RemoveAll(k.folder.Path()); err != nil {
		t.Fatal(err)
	}
	s, lines := fresh(t, k)
	restored(t, s, k, lines)
	if list := s.conditions.List(); len(list) != 1 || !strings.Contains(list[0].Cause, "no such file") {
		t.Errorf("%+v, want the reason", list)
	}
}

// TestRestoreWithAnotherCalibration: the field goes on, the brain's knowledge of
// its senses does not.
func TestRestoreWithAnotherCalibration(t *testing.T) {
	k := kept(t, 0)
	saved(t, k, func(h *memory.Header) { h.Calibration++ })
	s, lines := fresh(t, k)
	blank := make([]float32, field.Cells)
	s.car.Engine.Read(field.PredictorSection, blank)
	text := restored(t, s, k, lines)
	got, want := make([]float32, field.Cells), make([]float32, field.Cells)
	for section := range memory.FieldSections {
		s.car.Engine.Read(section, got)
		if k.mind.Engine.Read(section, want); section == field.PredictorSection {
			copy(want, blank)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("section %d: value %d is %v, want %v", section, i, got[i], want[i])
			}
		}
	}
	if !strings.Contains(text, "the calibration changed") {
		t.Errorf("the log does not say so:\n%s", text)
	}
}

// TestFrozenIsNoSavedBrain: a brain that was frozen in the middle of a drive, armed, fits
// in every other way and is refused: no daemon begins with it.
func TestFrozenIsNoSavedBrain(t *testing.T) {
	settings := config.Default()
	settings.Engine.Kind = "purego"
	m, rig := cartest.NewMind(t, settings, "room", 7, nil)
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) { m.Brain.Tick(now) })
	rig.AdvanceTo(100 * time.Millisecond)
	running, err := runningHeader(settings, m.Seed, m.Calibration, "test")
	if err != nil {
		t.Fatal(err)
	}
	table := field.PiCarX()
	frost, err := memory.NewFrost(m.Brain, &table)
	if err != nil {
		t.Fatal(err)
	}
	if err := frost.All(m.Processor); err != nil {
		t.Fatal(err)
	}
	data, err := frost.EncodeInto(nil, running)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Decode(data, &table); err != nil {
		t.Fatalf("a replay cannot read it: %v", err)
	}
	if _, _, err := suitable(data, &table, &running); !errors.Is(err, memory.ErrForeign) || !strings.Contains(err.Error(), "frozen") {
		t.Errorf("suitable() = %v", err)
	}
}
