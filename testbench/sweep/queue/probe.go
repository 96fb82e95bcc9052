package queue

import (
	"context"
	"fmt"
	"time"
)

// leadKey is where a lead writes among its sweep's workers. No worker is called so.
const leadKey = "lead"

// stuckTries is how many writes in a row a server that answers must leave undone to count as
// stuck; each is waited for as long as a request may take.
const stuckTries = 5

// A probe knows whether a server stores what it is given. One whose disk is full, or has
// failed once, answers every question, stores nothing and says nothing, until somebody starts
// it anew.
type probe struct {
	last   time.Time
	failed int // in a row
}

// try writes, where it is time to; answers tells whether the server is there. It returns the
// last error of a server that is stuck.
func (p *probe) try(ctx context.Context, write func(ctx context.Context) error, answers func() bool) error {
	if p.failed == 0 && time.Since(p.last) < beat {
		return nil
	}
	p.last = time.Now()
	err := once(ctx, write)
	if err == nil || ctx.Err() != nil || !answers() {
		p.failed = 0
		return nil
	}
	if p.failed++; p.failed < stuckTries {
		return nil
	}
	return err
}

// stores returns nil as long as the server stores what it is given, or is away.
func (l *Lead) stores(ctx context.Context) error {
	return l.probe.try(ctx, func(ctx context.Context) error {
		bucket, err := l.js.KeyValue(ctx, workerBucket(l.Batch.ID))
		if err == nil {
			_, err = bucket.Put(ctx, leadKey, nil)
		}
		return err
	}, l.answers)
}

// stuck returns what a worker could not store for long; one stream of a server may fail and
// the others not.
func stuck(list []Heart) error {
	for _, h := range list {
		if h.Stuck != "" {
			return fmt.Errorf("%s: %s", h.Machine, h.Stuck)
		}
	}
	return nil
}
