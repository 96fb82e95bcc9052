package queue_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/testbench/sweep"
	"fieldbrain/testbench/sweep/queue"
)

// held returns how many jobs of a sweep are in somebody's hands.
func held(t *testing.T, js queue.Stream, p *sweep.Batch) int {
	t.Helper()
	c, err := js.Consumer(t.Context(), "SWEEP-"+p.ID+"-JOBS", "engine-auto")
	if err != nil {
		t.Error(err)
		return 0
	}
	return c.CachedInfo().NumAckPending
}

// taken waits until a second job is in somebody's hands.
func taken(t *testing.T, ctx context.Context, js queue.Stream, p *sweep.Batch) {
	t.Helper()
	for held(t, js, p) < 2 {
		if ctx.Err() != nil {
			t.Error("no second job was taken while the first one was driven")
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestTakesTheNextMeanwhile: a worker takes a second job while it drives the first where
// many wait, and where it stops gives it back at once: long before its lease ends.
func TestTakesTheNextMeanwhile(t *testing.T) {
	t.Parallel()
	const jobs = 40
	s := serve(t, t.TempDir(), "127.0.0.1:0")
	defer s.Close()
	js, p := connect(t, s.URL()), batch(t, jobs, "twice = 0")
	if err := (&queue.Lead{Batch: p, Lease: time.Hour, Replicas: 1}).Prepare(t.Context(), js); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	first := worker("first", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		taken(t, ctx, js, p)
		stop()
		return drives(job, input)
	})
	first.Only = p.ID
	if err := first.Run(ctx, js); err != nil {
		t.Error(err)
	}
	rest(t, js, p, jobs)
}

// rest lets another worker drive all jobs.
func rest(t *testing.T, js queue.Stream, p *sweep.Batch, jobs int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	w := worker("second", drives)
	w.Only = p.ID
	w.Finished = func(done int) {
		if done >= jobs {
			stop()
		}
	}
	if err := w.Run(ctx, js); err != nil {
		t.Error(err)
	}
	if results, _, err := queue.Counts(t.Context(), js, p.ID); err != nil || results != jobs {
		t.Errorf("%d results of %d, %v: who stopped kept what it had", results, jobs, err)
	}
}

// TestLeavesTheLastJobs: where few wait, a worker that drives takes no second job from
// those that could drive it.
func TestLeavesTheLastJobs(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 5)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var most atomic.Int64
	w := worker("w", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		time.Sleep(20 * time.Millisecond)
		most.Store(max(most.Load(), int64(held(t, js, p))))
		return drives(job, input)
	})
	w.Only = p.ID
	w.Finished = func(done int) {
		if done == 5 {
			stop()
		}
	}
	if err := w.Run(ctx, js); err != nil {
		t.Error(err)
	}
	if n := most.Load(); n > 2 { // the one that drives, and one whose result is stored
		t.Errorf("%d of five jobs in one worker's hands", n)
	}
}

// TestLetsCancelledJobsGo: what a worker took ahead of a sweep that was cancelled meanwhile
// is not driven.
func TestLetsCancelledJobsGo(t *testing.T) {
	t.Parallel()
	js, p, _ := prepared(t, 40)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var driven atomic.Int64
	w := worker("w", func(job *sweep.Job, input func(string) ([]byte, error)) (queue.Outcome, error) {
		driven.Add(1)
		taken(t, ctx, js, p)
		if err := queue.Cancel(t.Context(), js, p.ID); err != nil {
			t.Error(err)
		}
		time.Sleep(4 * time.Second) // until the worker has seen it, which looks every second
		return drives(job, input)
	})
	w.Only, w.Ends = p.ID, true
	if err := w.Run(ctx, js); err != nil || ctx.Err() != nil {
		t.Error(err, ctx.Err())
	}
	if n := driven.Load(); n != 1 {
		t.Errorf("%d drives of a sweep that was cancelled in the first", n)
	}
}
