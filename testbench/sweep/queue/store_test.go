package queue_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// A slow server calls store before it stores a result.
type slow struct {
	jetstream.JetStream
	store func(ctx context.Context) error
}

func (s slow) Publish(ctx context.Context, subject string, data []byte, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	if err := s.store(ctx); err != nil {
		return nil, err
	}
	return s.JetStream.Publish(ctx, subject, data, o...)
}

// labour lets a worker drive a sweep of some jobs on a server that stores as said, to its
// end, and returns how often it drove.
func labour(t *testing.T, jobs int, store func(ctx context.Context) error, drive func(n int64)) (driven int64) {
	t.Helper()
	js, p, _ := prepared(t, jobs)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var count atomic.Int64
	w := worker("w", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		drive(count.Add(1))
		return drives(job, input)
	})
	w.Only = p.ID
	w.Finished = func(done int) {
		if done >= jobs {
			end()
		}
	}
	if err := w.Run(ctx, slow{js, store}); err != nil {
		t.Error(err)
	}
	if results, _, err := queue.Counts(t.Context(), js, p.ID); err != nil || results != jobs {
		t.Errorf("%d results of %d, %v", results, jobs, err)
	}
	return count.Load()
}

// TestStoresWhileTheNextDrives: the first result is stored only when the second drive is
// under way, and still every result is there when the worker ends.
func TestStoresWhileTheNextDrives(t *testing.T) {
	t.Parallel()
	second, first := make(chan struct{}), true
	driven := labour(t, 2, func(ctx context.Context) error {
		if !first {
			return nil
		}
		first = false
		select {
		case <-second:
			return nil
		case <-ctx.Done():
			return errors.New("nothing drove while the first result waited for the server")
		}
	}, func(n int64) {
		if n == 2 {
			close(second)
		}
	})
	if driven != 2 {
		t.Errorf("%d drives of 2 jobs", driven)
	}
}

// TestKeepsWhatItStores: a job whose result waits longer than a lease for a slow server,
// behind the one before, is not handed to another worker that has nothing to do.
func TestKeepsWhatItStores(t *testing.T) {
	t.Parallel()
	js, p, url := prepared(t, 2)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	w := worker("slow", drives)
	w.Only = p.ID
	w.Finished = func(done int) {
		if done == 2 {
			end()
		}
	}
	var again atomic.Int64
	time.AfterFunc(queue.LeastLease/2, func() { // both jobs are driven then
		work(t, ctx, url, "idle", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
			again.Add(1)
			return drives(job, input)
		})
	})
	if err := w.Run(ctx, slow{js, func(context.Context) error { time.Sleep(queue.LeastLease * 4 / 5); return nil }}); err != nil {
		t.Error(err)
	}
	if n := again.Load(); n != 0 {
		t.Errorf("%d jobs were handed out again while their results were stored", n)
	}
}

// prepared puts a sweep of some jobs on a server of its own.
func prepared(t *testing.T, jobs int) (js queue.Stream, p *sweep.Batch, url string) {
	t.Helper()
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	t.Cleanup(func() { s.Close() })
	js, p = connect(t, s.URL()), batch(t, jobs, "twice = 0")
	if err := (&queue.Lead{Batch: p, Lease: queue.LeastLease, Replicas: 1}).Prepare(t.Context(), js); err != nil {
		t.Fatal(err)
	}
	return js, p, s.URL()
}

// TestWaitsForTheLastStore: a worker that is stopped does not leave before its last result
// is stored or refused.
func TestWaitsForTheLastStore(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	var left atomic.Bool
	w := worker("w", drives)
	w.Only = p.ID
	err := w.Run(ctx, slow{js, func(ctx context.Context) error {
		end()
		<-ctx.Done()
		time.Sleep(200 * time.Millisecond)
		left.Store(true)
		return ctx.Err()
	}})
	if err != nil || !left.Load() {
		t.Errorf("%v; the last store had ended: %v", err, left.Load())
	}
}

// worker returns one that drives one job at a time.
func worker(name string, drive queue.Driver) *queue.Worker {
	return &queue.Worker{
		Heart:  queue.Heart{Worker: name, Machine: "m-" + name, Platform: "test", Version: "v1", Engines: []string{"auto"}},
		AtOnce: 1, Drive: drive,
	}
}

// TestStoringFails: what goes wrong while a result is stored is told.
func TestStoringFails(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 1)
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	told := make(chan error, 100)
	w := worker("w", drives)
	w.Only = p.ID
	w.Failing = func(err error) {
		told <- err
		end()
	}
	if err := w.Run(ctx, slow{js, func(context.Context) error { return errors.New("the disk is full") }}); err != nil {
		t.Error(err)
	}
	select {
	case err := <-told:
		if !strings.Contains(err.Error(), "the disk is full") {
			t.Error(err)
		}
	default:
		t.Error("nobody was told")
	}
}
