package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
)

// patience is how long a card on the bench may take for anything: nobody drives.
const patience = time.Minute

// warm is how many steps are taken before the first one counts.
const warm = 4 * exercise.Hold

// Ring starts a child as the daemon does, proves it, and times whole steps from
// the sensors' page to the motors', as fast as they go, or with a period one in each
// of them, as the loop takes them: the child sleeps in between, and the card may slow
// down. The error is the supervisor's: there is no program, no card, or the card
// computes another field.
func Ring(ctx context.Context, o gpu.Options, steps int, period time.Duration) (d *Doorbell, err error) {
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = patience, patience, patience, patience
	o.Tries = 1
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return nil, err
	}
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(running) }()
	defer func() {
		end()
		err = errors.Join(err, <-ended)
	}()
	e, err := s.Await(ctx)
	if err != nil {
		return nil, fmt.Errorf("bench: doorbell: %w", err)
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	inputs, us := exercise.New(7), make([]float64, 0, steps)
	release := time.Now()
	for i := -min(warm, steps); i < steps && ctx.Err() == nil; i++ {
		in := inputs.Next()
		release = release.Add(period)
		time.Sleep(time.Until(release))
		begin := time.Now()
		if _, err := e.Step(in); err != nil {
			return nil, fmt.Errorf("bench: doorbell: %w", err)
		}
		if took := time.Since(begin); i >= 0 {
			us = append(us, float64(took)/1e3)
		}
	}
	return &Doorbell{Percentiles: NewPercentiles(us), Engine: e.Name(), Copies: s.State().Copies, Period: period.Seconds() * 1e3}, ctx.Err()
}
