package queue_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep/queue"
)

// A full server answers and stores nothing of the lead's as long as it is full.
type full struct {
	jetstream.JetStream
	is *atomic.Bool
}

func (s full) KeyValue(ctx context.Context, bucket string) (jetstream.KeyValue, error) {
	b, err := s.JetStream.KeyValue(ctx, bucket)
	return fullBucket{b, s.is}, err
}

type fullBucket struct {
	jetstream.KeyValue
	is *atomic.Bool
}

func (b fullBucket) Put(ctx context.Context, key string, text []byte) (uint64, error) {
	if key == "lead" && b.is.Load() {
		return 0, errors.New("the disk is full")
	}
	return b.KeyValue.Put(ctx, key, text)
}

// TestStuckServer: a server that answers and stores nothing is told of, until it stores
// again, and the lead is no worker.
func TestStuckServer(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 1)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var is atomic.Bool
	is.Store(true)
	told, begun := 0, false
	l := &queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1, Progress: func(p queue.Progress) {
		switch {
		case p.Stuck != nil:
			told++
			is.Store(false)
		case told > 0 && !begun:
			begun = true
			work(t, ctx, url, "w", drives)
		}
		for _, h := range p.Workers {
			if h.Worker != "w" {
				t.Errorf("a worker %+v", h)
			}
		}
	}}
	if err := l.Run(ctx, full{js, &is}); err != nil || told == 0 {
		t.Errorf("told %d times, %v", told, err)
	}
}

// TestStuckStream: a worker says that the server does not store its results, until it does.
func TestStuckStream(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	var is atomic.Bool
	is.Store(true)
	w := worker("w", drives)
	w.Only = p.ID
	var done sync.WaitGroup
	done.Go(func() {
		err := w.Run(ctx, slow{js, func(context.Context) error {
			if is.Load() {
				return context.DeadlineExceeded
			}
			return nil
		}})
		if err != nil {
			t.Error(err)
		}
	})
	defer done.Wait()
	defer end()
	var told error
	l := &queue.Lead{Batch: p, Lease: time.Minute, Replicas: 1, Progress: func(p queue.Progress) {
		if p.Stuck != nil {
			told = p.Stuck
			is.Store(false)
		}
	}}
	if err := l.Run(ctx, js); err != nil || told == nil || !strings.Contains(told.Error(), "m-w: sweep."+p.ID+".result.") {
		t.Errorf("told %v, %v", told, err)
	}
}
