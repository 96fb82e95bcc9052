package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/daemon"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
)

// fresh returns a service around a mind that has not ticked, with a folder of
// saved minds, and where its log lines go.
func fresh(t *testing.T, k *keeper) (*service, *bytes.Buffer) {
	t.Helper()
	var lines bytes.Buffer
	log, err := daemon.NewLog(&lines, "info", true, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	config := daemon.DefaultConfig()
	m := *k.mind
	engine, err := newEngine(config.Engine, fieldParams(time.Duration(config.Loop.Period), 7, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	m.engine, m.processor = engine, engine
	s := &service{
		config: config, log: log, car: &car{mind: &m}, build: thisBuild(),
		conditions: daemon.NewConditions(time.Now, log.Change),
	}
	s.keeper = newKeeper(k.folder, config, &m, k.shot.Header)
	return s, &lines
}

// saved writes a copy with another header.
func saved(t *testing.T, k *keeper, change func(h *memory.Header)) string {
	t.Helper()
	shot := k.last()
	change(&shot.Header)
	if err := k.write(shot); err != nil {
		t.Fatal(err)
	}
	return k.told.Get().Last
}

// recalled runs the start and returns the log.
func recalled(t *testing.T, s *service, k *keeper, lines *bytes.Buffer) string {
	t.Helper()
	running := k.shot.Header
	s.recall(k.folder, &running)
	if err := s.log.Close(); err != nil {
		t.Fatal(err)
	}
	return lines.String()
}

// TestRecallsThePrevious: of a foreign file, a damaged one and a good one the
// good one goes on; the foreign one is moved where no save replaces it.
func TestRecallsThePrevious(t *testing.T) {
	k := kept(t, 0)
	good := saved(t, k, func(*memory.Header) {})
	want := field.Hash(k.mind.engine)
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
	text := recalled(t, s, k, lines)
	if got := field.Hash(s.car.engine); got != want {
		t.Errorf("the field is %#016x, want %#016x", got, want)
	}
	if got := s.keeper.told.Get(); got.From != good || got.FromTick == 0 || got.Fresh != "" || len(s.conditions.List()) != 0 {
		t.Errorf("%+v, %v; want %s to go on", got, s.conditions.List(), good)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(good), "aside-1", filepath.Base(foreign))); err != nil {
		t.Errorf("the foreign file was not moved aside: %v", err)
	}
	for _, part := range []string{"body \"picarx\", this one is \"sim\"", "damaged: it has 400000 bytes", "moved aside", "the mind goes on where it was saved"} {
		if !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), part) {
			t.Errorf("the log does not say %q:\n%s", part, text)
		}
	}
}

// TestRecallsNothing: with no sound file the mind begins fresh, and says why.
func TestRecallsNothing(t *testing.T) {
	k := kept(t, 0)
	foreign := saved(t, k, func(h *memory.Header) { h.Shape++ })
	s, lines := fresh(t, k)
	before := field.Hash(s.car.engine)
	recalled(t, s, k, lines)
	if field.Hash(s.car.engine) != before {
		t.Error("a refused file changed the field")
	}
	list := s.conditions.List()
	if got := s.keeper.told.Get(); got.From != "" || !strings.Contains(got.Fresh, "shape") || len(list) != 1 || !strings.Contains(list[0].Cause, "use that program") {
		t.Errorf("%+v, %+v; want a fresh start with the reason", got, list)
	}
	if _, err := os.Stat(foreign); err == nil {
		t.Error("the foreign file is still where saves replace it")
	}
}

// TestRecallWithoutAFolder: one that has gone since it was opened keeps no car
// from starting.
func TestRecallWithoutAFolder(t *testing.T) {
	k := kept(t, 0)
	if err := os.RemoveAll(k.folder.Path()); err != nil {
		t.Fatal(err)
	}
	s, lines := fresh(t, k)
	recalled(t, s, k, lines)
	if list := s.conditions.List(); len(list) != 1 || !strings.Contains(list[0].Cause, "no such file") {
		t.Errorf("%+v, want the reason", list)
	}
}

// TestRecallWithAnotherCalibration: the field goes on, what was learned of the
// senses does not.
func TestRecallWithAnotherCalibration(t *testing.T) {
	k := kept(t, 0)
	saved(t, k, func(h *memory.Header) { h.Calibration++ })
	s, lines := fresh(t, k)
	blank := make([]float32, field.Cells)
	s.car.engine.Read(field.Learned, blank)
	text := recalled(t, s, k, lines)
	got, want := make([]float32, field.Cells), make([]float32, field.Cells)
	for sheet := range memory.Sheets {
		s.car.engine.Read(sheet, got)
		if k.mind.engine.Read(sheet, want); sheet == field.Learned {
			copy(want, blank)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("sheet %d: value %d is %v, want %v", sheet, i, got[i], want[i])
			}
		}
	}
	if !strings.Contains(text, "the calibration changed") {
		t.Errorf("the log does not say so:\n%s", text)
	}
}
