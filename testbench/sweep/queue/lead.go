package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
)

// A Lead has a sweep's batch: it fills the queue and collects the results.
type Lead struct {
	Batch    *sweep.Batch
	Tally    *sweep.Tally  // filled by Run
	Lease    time.Duration // how long a worker may be silent before its job is handed out again
	Replicas int           // of everything that the server keeps; 1 but on a cluster
	Progress func(Progress)

	js        jetstream.JetStream
	consumer  jetstream.Consumer // of the results; nil: to be made anew
	next      uint64             // message of the results to begin with
	preparing bool               // the results are those of earlier runs
	had       int                // results when it last asked for what is missing
	vain      int                // times in a row that asking for them brought none
	idle      int                // looks in a row at a queue of which nobody gets a job
	started   time.Time
	probe     probe
}

// DefaultLease is how long a worker may be silent.
const DefaultLease = 10 * time.Second

// Progress is how far a sweep has come.
type Progress struct {
	Done, Wanted int
	Workers      []Heart       // those that work now
	Away         time.Duration // how long the server has not answered; 0: it does
	Stuck        error         // of a server that answers, and stores nothing; nil: it does
}

// ErrCancelled is returned for a sweep that somebody cancelled.
var ErrCancelled = errors.New("the sweep was cancelled; the same command takes it up again")

// ErrRemoved is returned for a sweep that is no longer on its server.
var ErrRemoved = errors.New("somebody has removed the sweep from its server (sweep remove), or the files of the server's store; the same command drives all of it anew")

// ErrLost is returned where results are missing although their jobs were driven, and
// driven again: the server has them and cannot read them.
var ErrLost = errors.New("the server's store is damaged: it has the result, cannot read it, and takes no other one")

// look is from one look at the queue and the workers to the next.
const look = time.Second

// Run puts into the queue what has no result and collects until every job has one,
// somebody cancels, or the context ends. The Tally holds what came.
func (l *Lead) Run(ctx context.Context, js jetstream.JetStream) error {
	if err := l.Prepare(ctx, js); err != nil {
		return err
	}
	if err := l.wait(ctx); err != nil {
		return err
	}
	return l.state(ctx, Done)
}

// Prepare is the first part of Run: it takes the results that there are and puts the
// other jobs into the queue.
func (l *Lead) Prepare(ctx context.Context, js jetstream.JetStream) error {
	l.js, l.next, l.started = js, 1, time.Now()
	if l.Tally == nil {
		l.Tally = sweep.NewTally(l.Batch)
	}
	if err := l.open(ctx); err != nil {
		return err
	}
	l.preparing = true
	err := l.drain(ctx)
	l.preparing = false
	if err != nil {
		return err
	}
	l.had, l.vain = l.Tally.Done(), 0
	return l.fill(ctx)
}

// open makes everything that the sweep has on the server, where it is not there.
func (l *Lead) open(ctx context.Context) error {
	id := l.Batch.ID
	steps := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateStream(ctx, jobsConfig(id, l.Replicas))
			return err
		},
		func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateStream(ctx, resultsConfig(id, l.Replicas))
			return err
		},
		func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: states, Replicas: l.Replicas})
			return err
		},
		func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: workerBucket(id), TTL: alive, Replicas: l.Replicas})
			return err
		},
		func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectStore(id), Replicas: l.Replicas})
			return err
		},
	}
	for _, engine := range l.engines() {
		steps = append(steps, func(ctx context.Context) error {
			_, err := l.js.CreateOrUpdateConsumer(ctx, jobStream(id), consumerConfig(id, engine, l.Lease))
			return err
		})
	}
	steps = append(steps, l.inputs, func(ctx context.Context) error { return l.state(ctx, Running) })
	for _, step := range steps {
		if err := patiently(ctx, step); err != nil {
			return fmt.Errorf("prepare the sweep on the server: %w", err)
		}
	}
	return nil
}

// engines lists those that the jobs ask for.
func (l *Lead) engines() (list []string) {
	for i := range l.Batch.Jobs {
		if e := l.Batch.Jobs[i].Engine; !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// inputs stores the texts that jobs refer to.
func (l *Lead) inputs(ctx context.Context) error {
	store, err := l.js.ObjectStore(ctx, objectStore(l.Batch.ID))
	if err != nil {
		return err
	}
	for name, text := range l.Batch.Inputs {
		if _, err := store.PutBytes(ctx, inputObject(name), text); err != nil {
			return err
		}
	}
	return nil
}

// state says where the sweep stands.
func (l *Lead) state(ctx context.Context, word string) error {
	return patiently(ctx, func(ctx context.Context) error {
		return setState(ctx, l.js, State{
			ID: l.Batch.ID, Title: l.Batch.Title, State: word, Jobs: len(l.Batch.Jobs), Wanted: l.Tally.Wanted(),
			Engines: l.engines(), Began: l.started.UTC(),
		})
	})
}

// setState writes a sweep's state.
func setState(ctx context.Context, js jetstream.JetStream, s State) error {
	bucket, err := js.KeyValue(ctx, states)
	if err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = bucket.Put(ctx, s.ID, text)
	return err
}

// wait collects until everything is there.
func (l *Lead) wait(ctx context.Context) error {
	var last time.Time
	p := Progress{Wanted: l.Tally.Wanted()}
	answered := time.Now()
	for l.Tally.Done() < l.Tally.Wanted() {
		_, err := l.collect(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			answered, p.Away = time.Now(), 0
		case errors.Is(err, jetstream.ErrStreamNotFound):
			return ErrRemoved
		case !passing(err):
			return err
		default:
			p.Away = time.Since(answered)
			if err := sleep(ctx, firstPause); err != nil {
				return err
			}
		}
		if time.Since(last) > look && err == nil {
			last = time.Now()
			if p.Workers, err = l.look(ctx); err != nil && !passing(err) {
				return err
			}
			p.Stuck = cmp.Or(l.stores(ctx), stuck(p.Workers))
		}
		p.Done = l.Tally.Done()
		if l.Progress != nil {
			l.Progress(p)
		}
	}
	return nil
}

// look asks who works, whether somebody has cancelled, and fills the queue again
// when it is empty although results are missing.
func (l *Lead) look(ctx context.Context) ([]Heart, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	s, err := Find(ctx, l.js, l.Batch.ID)
	if errors.Is(err, ErrUnknown) {
		return nil, ErrRemoved
	}
	if err != nil {
		return nil, err
	}
	if s.State == Cancelled {
		return nil, ErrCancelled
	}
	stream, err := l.js.Stream(ctx, jobStream(l.Batch.ID))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, ErrRemoved
	}
	if err != nil {
		return nil, err
	}
	empty := stream.CachedInfo().State.Msgs == 0
	if !empty {
		if empty, err = l.clear(ctx, stream); err != nil {
			return nil, err
		}
	}
	if empty && l.Tally.Done() < l.Tally.Wanted() {
		if err := l.refill(ctx); err != nil {
			return nil, err
		}
	}
	return Hearts(ctx, l.js, l.Batch.ID)
}

// refill reads all results once more, and asks for what is missing even so; where that
// brings nothing, once.
func (l *Lead) refill(ctx context.Context) error {
	l.consumer, l.next = nil, 1
	if err := l.drain(ctx); err != nil {
		return err
	}
	if l.Tally.Done() == l.Tally.Wanted() {
		return nil
	}
	if l.Tally.Done() > l.had {
		l.had, l.vain = l.Tally.Done(), 0
	}
	if l.vain++; l.vain > 1 {
		return ErrLost
	}
	return l.fill(ctx)
}
