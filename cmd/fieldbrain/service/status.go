package service

import (
	"os"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// Status gathers the daemon's state from published copies.
func (s *Service) Status() daemon.Status {
	status := daemon.Status{
		Version: s.version, PID: os.Getpid(), Since: s.since,
		Body:       s.settings.Body.Kind,
		Conditions: s.conditions.List(), Table: s.recorder.Table(s.loop.Counts()),
		LogDropped: s.log.Dropped(), Refused: s.control.Refused(), Quality: s.quality.Get(),
	}
	describe(s.car.Mind, &status)
	if s.autosave != nil {
		kept := s.autosave.told.Get()
		status.Memory = &kept
	}
	if s.recording != nil {
		r := s.recording.Status()
		status.Recording = &r
	}
	return status
}

// describe fills in the car's part of the status.
func describe(m *car.Mind, s *daemon.Status) {
	b := m.Brain.Remote().Status()
	s.Engine, s.Rung = m.Engine.Name(), brain.Ladder()[b.Quality.Rung].Name
	s.Quality.Why, s.Quality.Changes = b.Quality.Why.String(), b.Quality.Changes
	s.Armed, s.Failsafe = b.Safety.Armed, strings.ToUpper(b.Safety.Level.String())
	if b.Safety.Causes != 0 {
		s.Causes = strings.Split(b.Safety.Causes.String(), ",")
	}
	if b.Safety.Tripped != 0 {
		s.Tripped = strings.Split(b.Safety.Tripped.String(), ",")
	}
	s.Hindrance = hindrance(b.Safety, s.Body == "sim")
	s.Order, s.Place = daemon.NewOrderStatus(b.Errand), daemon.NewPlaceStatus(b.Fix)
	if b.Errand.Number > 0 {
		before := daemon.NewOrderStatus(b.Before)
		s.Before = &before
	}
	s.Mode = b.Mode.String()
	s.Speed, s.Steering = b.Trace.Command.Speed, b.Trace.Command.Steering
	front := b.State.Range[robot.Front]
	s.Range, s.RangeOK, s.Beyond = front.Value, front.OK, front.OK && front.Beyond
	if b.State.Battery.OK {
		s.Battery = b.State.Battery.Value
	}
	s.Link = b.State.Link.String()
	if m.Card != nil {
		s.GPU = cardStatus(m.Card)
	}
}
