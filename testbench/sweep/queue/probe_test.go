package queue_test

import (
	"context"
	"errors"
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
