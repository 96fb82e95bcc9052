package service

import (
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/daemon/loop"
)

// longestNap is the longest suspend a car may drive on after: the safety
// package's limit for a pause of the ticks.
const longestNap = 500 * time.Millisecond

// A sleeper notices a suspend of the machine once it is over. The tick's clock stands
// still meanwhile, so the reflexes see no pause and every reading looks fresh. Before
// one, systemd/fieldbrain-sleep.service stops the car.
type sleeper struct {
	asleep func() time.Duration // since the machine's start
	before time.Duration        // as of the last look; the loop's thread only
	begun  bool
	nap    atomic.Int64 // newest suspend, shown until the car is armed again
}

// woke reports whether the machine, since the last call, slept longer than a car
// may drive on after. The loop's thread calls it.
func (s *sleeper) woke() bool {
	now := s.asleep()
	nap := now - s.before
	first := !s.begun
	s.before, s.begun = now, true
	if first || nap <= longestNap {
		return false
	}
	s.nap.Store(int64(nap))
	return true
}

// noteNap keeps a suspend visible until a person has armed the car again.
func (s *Service) noteNap() {
	nap := time.Duration(s.sleeper.nap.Load())
	if nap != 0 && s.car.Brain.Remote().Status().Safety.Armed {
		s.sleeper.nap.CompareAndSwap(int64(nap), 0)
	}
	s.conditions.Put(loop.Condition{
		Name: "suspend", Value: fmt.Sprintf("the machine was suspended for %v", nap.Round(100*time.Millisecond)),
		Cause:  "a person or a power manager suspended the computer",
		Remedy: "look where the car is, fieldbrain reset where it was stopped before, then fieldbrain arm; on the robot: sudo systemctl mask sleep.target",
	}, nap != 0)
}
