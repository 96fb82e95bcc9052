package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"fieldbrain"
	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// A Setup is what a recorded brain was built with.
type Setup struct {
	Config config.Config
	Engine string // that stepped the field, by its name
	Seed   uint64 // of noise and random choices
	Driver picarx.Params
	Task   fieldbrain.Task
	Field  ablation.Kind // what was taken away of the field

	World   string // scenario, or member of a family; empty on the real car
	Learned bool   // the predictor of the saved brain was taken over
}

// SetupOf describes a mind that sits in a seat.
func SetupOf(c config.Config, s *car.Seat, engine field.Engine, world string) Setup {
	return Setup{
		Config: c, Engine: engine.Name(), Seed: s.Seed, Driver: s.Driver, Task: s.Task, Field: s.Field, World: world,
	}
}

// Head returns the beginning of a file for this setup.
func (s *Setup) Head(program string) (recording.Head, error) {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return recording.Head{}, fmt.Errorf("replay: setup: %w", err)
	}
	return recording.Head{Program: program, Setup: text, Facts: map[string]string{
		"engine": s.Engine, "body": s.Config.Body.Kind, "world": s.World, "seed": fmt.Sprint(s.Seed),
	}}, nil
}

// ReadSetup returns what a file's brain was built with.
func ReadSetup(h *recording.Head) (Setup, error) {
	s := Setup{Config: config.Default()} // a file of an older program lacks keys
	if err := json.Unmarshal(h.Setup, &s); err != nil {
		return s, fmt.Errorf("replay: %w: setup: %w", recording.ErrDamaged, err)
	}
	if err := s.Config.Validate(); err != nil {
		return s, fmt.Errorf("replay: %w: setup: %w", recording.ErrForeign, err)
	}
	return s, nil
}

// A beginning is what a brain begins with: a saved or a frozen brain, or nothing.
type beginning struct {
	saved   []byte
	learned bool // its predictor suits the calibration
}

// build makes the mind anew, in front of a player, and lets it begin as the recorded
// one did; thawed says that it was frozen.
func (s *Setup) build(from beginning, body robot.Body, clock robot.Clock) (m *car.Mind, thawed bool, err error) {
	m, err = car.NewMind(s.Config, car.Seat{
		Body: body, Clock: clock, Seed: s.Seed, Driver: s.Driver, Task: s.Task, Field: s.Field,
	})
	if err != nil {
		return nil, false, fmt.Errorf("replay: %w", err)
	}
	if len(from.saved) == 0 {
		return m, false, nil
	}
	table := field.PiCarX()
	shot, err := memory.Decode(from.saved, &table)
	if err == nil {
		thawed = len(shot.Frozen) > 0
		err = shot.Restore(m.Engine, m.Brain, &table, 0, from.learned || thawed)
	}
	if err != nil {
		return nil, false, errors.Join(fmt.Errorf("replay: the brain that the recording began with: %w", err), m.Close())
	}
	return m, thawed, nil
}

// Hash returns the hash of the whole field of a saved or frozen brain that was built as a
// recording's head says.
func Hash(h *recording.Head, saved []byte) (uint64, error) {
	setup, err := ReadSetup(h)
	if err != nil {
		return 0, err
	}
	if setup.Config.Engine.Kind == "cuda" {
		setup.Config.Engine.Kind = "auto"
	}
	player := brain.NewPlayer()
	m, _, err := setup.build(beginning{saved, true}, player, player)
	if err != nil {
		return 0, err
	}
	return field.Hash(m.Engine), m.Close()
}
