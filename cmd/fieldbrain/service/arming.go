package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/robot/safety"
)

// arming is what run --arm still has to do; the zero value has nothing to do. Whoever arms
// the car, it was armed then: from there on a real car that disarms itself waits for a
// person, and the simulated one goes on by itself after a pause of the machine alone.
//
// Armings are orders, one after the other (Service.order), and each looks in its turn at
// what is due and notes what it did. So none undoes what a fault did to a car that a person
// armed an instant before: the published status may be older than that arming.
type arming struct {
	keeps bool          // arms the car again after a pause: the simulated one. Before Serve's goroutines
	due   atomic.Uint32 // one of the three below
	times atomic.Uint32 // that somebody has armed the car
	stuck atomic.Pointer[error]

	// Of the goroutine that arms.
	seen     uint32 // times at its look before
	refusals int    // since it tries to arm again
}

// What is due.
const (
	armNothing = uint32(iota) // a person arms
	armFirst                  // arm as soon as the car is ready
	armAgain                  // arm again after a pause
)

// begin makes the first arming due.
func (a *arming) begin(keeps bool) {
	a.keeps = keeps
	a.due.Store(armFirst)
}

// armed notes that somebody has armed the car.
func (a *arming) armed() {
	a.times.Add(1)
	if a.keeps {
		a.due.Store(armAgain)
	} else {
		a.due.Store(armNothing)
	}
}

// over leaves the next arming to a person, who has said disarm or stop. It waits for nothing.
func (a *arming) over() { a.due.Store(armNothing) }

// resumes reports whether a car that was disarmed by some causes is to be armed again, and
// what has stood against that for a while, nil for nothing.
func (a *arming) resumes(tripped safety.Causes) (again bool, against error) {
	if a.due.Load() != armAgain || !resumes(tripped) {
		return false, nil
	}
	if stuck := a.stuck.Load(); stuck != nil {
		against = *stuck
	}
	return true, against
}

// tried notes how an arming after a pause ended: by a refusal, or that none is due.
func (a *arming) tried(err error) {
	if err == nil {
		a.refusals = 0
		a.stuck.Store(nil)
		return
	}
	if a.refusals++; a.refusals > bringUpLooks {
		a.stuck.Store(&err)
	}
}

// armWhenReady arms once the car is ready: the body's bus has to come up and
// the first readings have to arrive. It gives up when that takes too long, and
// at once when ctx ends.
//
// It arms the simulated car again when a pause of the machine has disarmed it (a
// computer that is busy otherwise), unless the newest word of a person was disarm or stop.
// After any other cause, and on the real car, a person has to look first.
func (s *Service) armWhenReady(ctx context.Context) error {
	began := time.Now()
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		switch {
		case s.arming.due.Load() == armFirst:
			if err := s.armFirst(ctx, began); err != nil {
				return err
			}
		case s.arming.keeps:
			s.armAgain(ctx)
		default:
			return nil
		}
	}
}

// armPatience is how long a car may take to become ready.
const armPatience = 15 * time.Second

// armFirst arms a car that nobody has armed. A person may be faster in saying arm, disarm
// or stop: then there is nothing left to do.
func (s *Service) armFirst(ctx context.Context, began time.Time) error {
	armed := false
	err := s.order(ctx, func() error {
		if s.arming.due.Load() != armFirst {
			return nil
		}
		err := s.arm()
		armed = err == nil
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case armed:
		s.log.Info().Msg("armed, as asked for by --arm")
	case err != nil && time.Since(began) > armPatience && s.arming.due.Load() == armFirst:
		return fmt.Errorf("--arm: not ready within %v: %w", armPatience, err)
	}
	return nil
}

// armAgain looks at a simulated car that was armed, and arms it again after a pause of the
// machine. After anything else it leaves that to a person.
func (s *Service) armAgain(ctx context.Context) {
	a := &s.arming
	status := s.car.Brain.Remote().Status().Safety
	times := a.times.Load() // behind the status, which may be older than the newest arming
	fresh := times == a.seen
	a.seen = times
	if a.due.Load() != armAgain || !fresh || status.Armed || status.Tripped == 0 {
		a.tried(nil)
		return
	}
	stays, armed := false, false
	err := s.order(ctx, func() error {
		if a.due.Load() != armAgain || a.times.Load() != times {
			return nil
		}
		var err error
		if stays = !resumes(status.Tripped); !stays {
			err = s.arm()
			armed, stays = err == nil, forPerson(err)
		}
		if stays {
			a.over()
		}
		return err
	})
	because := status.Tripped.Words()
	switch {
	case ctx.Err() != nil:
	case stays:
		s.log.Warn().Str("because", because).AnErr("refused", err).Msg("the simulated car was disarmed by itself and stays so")
	case armed:
		s.log.Warn().Str("because", because).Msg("the simulated car was disarmed by itself and is armed again")
	default:
		a.tried(err)
	}
}

// withPause are the causes that come with a pause of the machine. It stops the simulated
// HAT's driver too: then the link is late, or goes down together with the loop, whose
// commands have become old meanwhile.
const withPause = safety.Paused | safety.LinkDown | safety.LinkLate | safety.CommandLost

// resumes reports whether --arm may arm the simulated car again after what
// disarmed it: only after a pause of the machine. A link that goes down alone is the
// scenario's doing, and a person has to look as on a car. Arming is refused for as long as
// the link stays down.
func resumes(tripped safety.Causes) bool {
	return tripped == safety.LinkLate || tripped.Has(safety.Paused) && tripped&^withPause == 0
}

// forPerson reports whether what refused an arming after a pause would have disarmed the
// car by itself: a person has to look, also when it is over.
func forPerson(err error) bool {
	var refusal *safety.Refusal
	if !errors.As(err, &refusal) {
		return false
	}
	for f := range safety.EachFault() {
		if f.Rearm && f.Cause&^withPause&refusal.Causes != 0 {
			return true
		}
	}
	return false
}
