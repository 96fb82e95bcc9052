package service

import (
	"fmt"

	"fieldbrain/brain"
	"fieldbrain/daemon"
)

// byHand carries out what the source of a manual drive asks for. Words to drive are not
// logged.
func (s *Service) byHand(r daemon.Request) (note string, changed bool, err error) {
	switch r.Command {
	case "take":
		err = s.lease.Take(r.Client, r.Source)
		if status := s.car.Brain.Remote().Status(); err == nil && !status.Safety.Armed {
			note = "the car is disarmed and stands: it drives once it is armed"
		}
		return note, err == nil, err
	case "release":
		err = s.lease.Release(r.Client)
		return "", err == nil, err
	}
	return "", false, s.lease.Drive(r.Client, r.Throttle, r.Steering)
}

// noteDriver logs once that a source fell silent or is gone.
func (s *Service) noteDriver() {
	h := s.car.Brain.Remote().Status().Driver
	before := s.driver
	if s.driver = h; h.Driver == before.Driver && h.Source == before.Source {
		return
	}
	switch h.Driver {
	case brain.DriverPerson:
		s.log.Info().Stringer("source", h.Source).Msg("a person drives")
	case brain.DriverLost:
		s.log.Warn().Stringer("source", h.Source).Str("remedy", "drive on, or give the car an order").
			Msg(fmt.Sprintf("the source of the manual drive is gone or was silent for %v: the car stops and stands", s.deadman()))
	case brain.DriverBrain:
		if before.Driver == brain.DriverNone { // the start
			return
		}
		s.log.Info().Msg("the brain drives")
	}
}
