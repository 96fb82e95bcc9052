package queue

import (
	"context"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// take asks for a job of any running sweep.
func (w *Worker) take(ctx context.Context) (offer, error) {
	for _, s := range w.sweeps() {
		for _, engine := range s.Engines {
			if !slices.Contains(w.Engines, engine) {
				continue
			}
			m, err := w.fetch(ctx, s.ID, engine)
			if err != nil || m != nil {
				return offer{s.ID, m}, err
			}
		}
	}
	return offer{}, nil
}

// fetch asks for a job and returns nil where there is none.
func (w *Worker) fetch(ctx context.Context, id, engine string) (jetstream.Msg, error) {
	c, err := w.consumer(ctx, id, engine)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	batch, err := c.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	select {
	case m := <-batch.Messages():
		if m == nil {
			if err := batch.Error(); err != nil {
				w.forget(id, engine)
				return nil, err
			}
			return nil, nil
		}
		return m, nil
	case <-ctx.Done():
		w.forget(id, engine)
		w.giveBack(batch)
		return nil, ctx.Err()
	}
}

// giveBack gives a job back that was on its way when nobody wanted it any more.
func (w *Worker) giveBack(batch jetstream.MessageBatch) {
	select {
	case m := <-batch.Messages():
		if m != nil {
			w.told(passOver(m.Nak()))
		}
	case <-time.After(lateTime):
	}
}

// lateTime is how long a job may be on its way.
const lateTime = 200 * time.Millisecond

// consumer returns the consumer of a sweep and an engine.
func (w *Worker) consumer(ctx context.Context, id, engine string) (jetstream.Consumer, error) {
	key := id + " " + engine
	w.mu.Lock()
	c := w.consumers[key]
	w.mu.Unlock()
	if c != nil {
		return c, nil
	}
	err := once(ctx, func(ctx context.Context) (err error) {
		c, err = w.js.Consumer(ctx, jobStream(id), engineConsumer(engine))
		return err
	})
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.consumers[key] = c
	return c, nil
}

// forget looks a consumer up anew the next time.
func (w *Worker) forget(id, engine string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.consumers, id+" "+engine)
}
