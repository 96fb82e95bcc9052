package service

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
)

// set changes a parameter while the car drives, until the daemon ends.
func (s *Service) set(ctx context.Context, words string) (note string, err error) {
	remote := s.car.Brain.Remote()
	setting, err := brain.ParseSetting(words, remote.Top())
	if err != nil {
		return "", err
	}
	if err := s.order(ctx, func() error { return remote.Set(setting) }); err != nil {
		return "", err
	}
	if setting.Parameter == brain.ParameterDeadman {
		s.lease.Patience(s.deadman())
	}
	return fmt.Sprintf("until the daemon ends: write %s into the configuration to keep it", setting.Parameter.Key()), nil
}

// deadman returns the deadman in force.
func (s *Service) deadman() time.Duration {
	seconds := s.car.Brain.Remote().Status().Settings[brain.ParameterDeadman]
	return time.Duration(float64(seconds) * float64(time.Second)).Round(time.Millisecond)
}

// wanted returns the quality that people want.
func wanted(b *brain.Status) string {
	return quality.Names()[int(b.Settings[brain.ParameterQuality])]
}
