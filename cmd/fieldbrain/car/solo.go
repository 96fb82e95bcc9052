package car

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/field"
	"fieldbrain/gpu"
)

// A soloCard is a card that drives alone, in virtual time or against it: the run
// waits for it, and its failure is the run's.
type soloCard struct {
	engine *gpu.Engine
	end    context.CancelFunc
	ended  chan error
}

// soloLimit is the time a card on the bench may take for anything: a software
// device is slow, and nothing waits.
const soloLimit = time.Minute

// newSoloCard starts a card and waits until it is proven.
func newSoloCard(c config.Engine, p field.Params) (*soloCard, error) {
	o := GPUOptions(c, p)
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit, o.Tries = soloLimit, soloLimit, soloLimit, soloLimit, 1
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := &soloCard{end: cancel, ended: make(chan error, 1)}
	go func() { b.ended <- s.Run(ctx) }()
	if b.engine, err = s.Await(ctx); err != nil {
		cancel()
		return nil, errors.Join(err, <-b.ended)
	}
	return b, nil
}

// close ends the child. It fails when a child failed during the run.
func (k *soloCard) close() error {
	err := k.engine.Err()
	if err != nil && !errors.Is(err, gpu.ErrClosed) {
		err = fmt.Errorf("the graphics card failed during the run: %w", err)
	}
	closed := k.engine.Close()
	k.end()
	return errors.Join(err, closed, <-k.ended)
}
