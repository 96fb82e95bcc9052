package service

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/daemon/config"
	"fieldbrain/robot/safety"
)

// lacking says what a body lacks for an order, and what to do about it; nil for
// nothing. Goals and the way home need no sensor of their own: they go by dead
// reckoning.
func lacking(b config.Body, o brain.Order) error {
	if o.Do == brain.DoLine && b.Kind == "picarx" && b.Calibration == "" {
		return errors.New("this car's floor sensors are not calibrated, so that it cannot tell a line from the floor: fieldbrain calibrate import, then body.calibration in the configuration, and start the daemon again")
	}
	return nil
}

// send gives the car an order over the loop. The note says what the person who gave
// it should know.
func (s *Service) send(ctx context.Context, words string) (note string, err error) {
	o, err := brain.ParseOrder(words)
	if err != nil {
		return "", err
	}
	if err := lacking(s.settings.Body, o); err != nil {
		return "", err
	}
	if err := s.lease.Yield(); err != nil {
		return "", err
	}
	remote := s.car.Brain.Remote()
	if err := s.order(ctx, func() error { return remote.Go(o) }); err != nil {
		return "", err
	}
	return remarks(remote.Status(), o), nil
}

// remarks are what one should know about an order that was taken.
func remarks(b brain.Status, o brain.Order) string {
	var notes []string
	switch {
	case b.Safety.Level == safety.Latched:
		notes = append(notes, "the car is stopped and keeps the order: it begins with fieldbrain reset, then fieldbrain arm")
	case !b.Safety.Armed:
		notes = append(notes, "the car is disarmed and keeps the order: it begins with fieldbrain arm")
	}
	if o.Do == brain.DoManual {
		notes = append(notes, "it stands until somebody drives: fieldbrain drive")
	}
	if o.Do == brain.DoGoal || o.Do == brain.DoHome {
		notes = append(notes, fmt.Sprintf("by dead reckoning, which knows the car's place to +-%.2f m now and loses some 5 cm a metre: fieldbrain status", b.Fix.Off))
	}
	return strings.Join(notes, "\n")
}

// noteOrder logs the end of an order once.
func (s *Service) noteOrder() {
	e := s.car.Brain.Remote().Status().Mission
	if !s.ends(&e) {
		return
	}
	line := s.log.Info().Stringer("order", e.Order).Stringer("standing", e.Standing)
	if e.Why != brain.NoExcuse {
		line = line.Stringer("why", e.Why)
	}
	line.Float64("driven_m", e.Way).Float64("driving_s", e.Driving.Seconds()).Msg("the order has ended")
}

// ends reports an order's end once: also that of what the configuration asked for, which is
// number 0.
func (s *Service) ends(e *brain.Mission) bool {
	if !e.Standing.Over() || s.ended == e.Number+1 {
		return false
	}
	s.ended = e.Number + 1
	return true
}
