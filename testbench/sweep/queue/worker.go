package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench"
	"fieldbrain/testbench/sweep"
)

// An Outcome is what a drive came to. It is the worker's from then on, also while the next
// job drives.
type Outcome struct {
	Drive      *testbench.Result
	Drawn      string // sweep.Name of the world's text as this program has it
	Recording  string // a file, which the worker stores and removes; empty: none
	Unrecorded error  // why this machine could not keep a recording that the job wants
}

// A Driver drives a job. Input returns a text that the job refers to.
type Driver func(job *sweep.Job, input func(name string) ([]byte, error)) (Outcome, error)

// A Worker drives jobs until its context ends.
type Worker struct {
	Heart           // who it is, and what it can
	Only     string // the one sweep that it works for; empty: every sweep of the server
	AtOnce   int    // drives at once
	Drive    Driver
	Ends     bool           // with the sweep that Only names, or when nothing is left of it
	Finished func(done int) // told of every result that is stored, while the next job drives; may be nil
	Failing  func(error)    // told of what goes wrong and is tried again, may be nil
	Stall    time.Duration  // as Recordings has it

	js         jetstream.JetStream
	done, busy atomic.Int64
	stuck      atomic.Pointer[error] // of a result that the server does not store; nil: none
	sending    sync.Mutex            // held while a recording is on its way
	mu         sync.Mutex
	running    []State
	inputs     map[string][]byte
	consumers  map[string]jetstream.Consumer
}

// stateTime is how old the list of sweeps may be.
const stateTime = time.Second

// Run works. It returns nil when the context ends, or the sweep for a worker that Ends.
func (w *Worker) Run(ctx context.Context, js jetstream.JetStream) error {
	w.js, w.inputs, w.consumers = js, map[string][]byte{}, map[string]jetstream.Consumer{}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := patiently(ctx, w.watch); err != nil {
		return errors.Join(passOver(err), js.Conn().LastError())
	}
	var all sync.WaitGroup
	all.Go(func() { w.beats(ctx) })
	for range max(1, w.AtOnce) {
		all.Go(func() {
			if err := w.lane(ctx); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errIdle) {
		return err
	}
	return nil
}

// errIdle ends a worker that has nothing to do.
var errIdle = errors.New("nothing to do")

// lane takes one job after the other. While one is driven the result of the one before is
// stored and the next one taken: a server takes milliseconds for either.
func (w *Worker) lane(ctx context.Context) error {
	var last storing
	var ahead prospect
	defer func() { w.told(last.wait()); w.drop(&ahead) }()
	pause := firstPause
	for ctx.Err() == nil {
		store, err := w.next(ctx, &ahead)
		w.told(last.wait())
		switch {
		case store != nil:
			w.told(err)
			last.begin(store)
			pause = firstPause
			continue
		case ctx.Err() != nil:
			return nil
		case err != nil && !passing(err) && !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound):
			return err
		case err != nil:
			w.tell(fmt.Errorf("take a job: %w", err))
		case w.Ends && len(w.sweeps()) == 0:
			return errIdle
		}
		if err := sleep(ctx, pause); err != nil {
			return nil
		}
		pause = min(2*pause, longestPause/4)
	}
	return nil
}

// told tells an error of a job that somebody drives again, if there is one.
func (w *Worker) told(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		w.tell(err)
	}
}

// A storing is a result that is being stored, or none.
type storing struct{ done chan error }

func (s *storing) begin(store func() error) {
	done := make(chan error, 1)
	s.done = done
	go func() { done <- store() }()
}

// wait returns when it is stored.
func (s *storing) wait() error {
	if s.done == nil {
		return nil
	}
	defer func() { s.done = nil }()
	return <-s.done
}

// next drives one job of any running sweep and returns what stores its result; nil where
// there is no job.
func (w *Worker) next(ctx context.Context, ahead *prospect) (store func() error, err error) {
	o := w.have(ahead)
	if o.m == nil {
		if o, err = w.take(ctx); err != nil || o.m == nil {
			return nil, err
		}
	}
	w.look(ctx, ahead, o)
	return w.handle(ctx, o.id, o.m)
}

// sweeps lists those that run, as of the last beat.
func (w *Worker) sweeps() []State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running
}

// beats shows that the worker lives, and looks which sweeps run.
func (w *Worker) beats(ctx context.Context) {
	var shown time.Time
	for ctx.Err() == nil {
		err := once(ctx, w.watch)
		if err != nil {
			err = fmt.Errorf("ask the server which sweeps run: %w", err)
		}
		if err == nil && time.Since(shown) > beat {
			shown = time.Now()
			err = once(ctx, w.show)
		}
		if err != nil && ctx.Err() == nil && w.Failing != nil {
			w.Failing(err)
		}
		_ = sleep(ctx, stateTime) // it ends with the context, as the loop does
	}
}

// watch looks which sweeps run.
func (w *Worker) watch(ctx context.Context) error {
	var list []State
	if w.Only != "" {
		s, err := Find(ctx, w.js, w.Only)
		if err != nil && (w.Ends || !errors.Is(err, ErrUnknown)) {
			return err
		}
		if err == nil {
			list = append(list, s)
		}
	} else {
		var err error
		if list, err = States(ctx, w.js); err != nil {
			return err
		}
	}
	list = slices.DeleteFunc(list, func(s State) bool { return s.State != Running })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = list
	return nil
}

// show writes the worker's sign of life for every sweep that it works for.
func (w *Worker) show(ctx context.Context) error {
	h := w.Heart
	h.Done, h.Busy = int(w.done.Load()), int(w.busy.Load())
	if err := w.stuck.Load(); err != nil {
		h.Stuck = (*err).Error()
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	for _, s := range w.sweeps() {
		bucket, err := w.js.KeyValue(ctx, workerBucket(s.ID))
		if err != nil {
			return fmt.Errorf("sign of life: %w", err)
		}
		if _, err := bucket.Put(ctx, w.Worker, text); err != nil {
			return fmt.Errorf("sign of life: %w", err)
		}
	}
	return nil
}
