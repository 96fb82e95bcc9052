package gauge

import (
	"time"

	"fieldbrain/testbench/world"
)

// StandingReach is how far from its first place a car that stands may be, in m.
const StandingReach = 0.05

// standingTime is how long it stands: shorter is a pause, as between two directions.
const standingTime = 2 * time.Second

// A Standing sums up the time in which the car stayed where it was. The zero
// value begins with its first place.
type Standing struct {
	begun    bool
	at       world.Vec // where this stretch began
	since    time.Duration
	now      time.Duration
	finished time.Duration // by earlier stretches
}

// Watch takes the car's place at now; times do not go back. It tells whether
// the car stands.
func (s *Standing) Watch(now time.Duration, at world.Vec) bool {
	if !s.begun || at.Sub(s.at).Norm() > StandingReach {
		s.finished = s.Time()
		s.begun, s.at, s.since = true, at, now
	}
	s.now = now
	return s.now-s.since >= standingTime
}

// Pause forgets the stretch under way, but not its time: what comes next is
// another one.
func (s *Standing) Pause() {
	s.finished = s.Time()
	s.begun, s.since, s.now = false, 0, 0
}

// Time returns how long the car stood, up to the newest place.
func (s *Standing) Time() time.Duration {
	if open := s.now - s.since; s.begun && open >= standingTime {
		return s.finished + open
	}
	return s.finished
}
