package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	beat  = 2 * time.Second  // from one sign of life of a worker to the next
	alive = 10 * time.Second // that one counts
)

// A Heart is a worker's sign of life.
type Heart struct {
	Worker   string   `json:"worker"`
	Machine  string   `json:"machine"`
	Platform string   `json:"platform"`
	Version  string   `json:"version"`
	Engines  []string `json:"engines"`
	Done     int      `json:"done"`            // drives that it finished
	Busy     int      `json:"busy"`            // drives under way
	Stuck    string   `json:"stuck,omitempty"` // what the server does not store, although it answers
}

// unreadable is what a value says that is no JSON of ours: something else writes to the
// server, or a program of another version.
const unreadable = "unreadable"

// Hearts lists a sweep's workers that live. One whose word nobody can read is there, with
// nothing that it can do: a word more or less ends no sweep.
func Hearts(ctx context.Context, js jetstream.JetStream, id string) (list []Heart, err error) {
	err = each(ctx, js, workerBucket(id), func(key string, text []byte) error {
		if key == leadKey {
			return nil
		}
		var h Heart
		if json.Unmarshal(text, &h) != nil {
			h = Heart{Worker: key, Machine: key, Platform: unreadable, Version: unreadable}
		}
		list = append(list, h)
		return nil
	})
	return list, err
}

// States lists the sweeps of a server. One whose state nobody can read is neither running
// nor anything else, and keeps no worker from the others.
func States(ctx context.Context, js jetstream.JetStream) (list []State, err error) {
	err = each(ctx, js, states, func(key string, text []byte) error {
		var s State
		if json.Unmarshal(text, &s) != nil {
			s = State{ID: key, State: unreadable}
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// each takes every value of a bucket; a bucket that is not there has none.
func each(ctx context.Context, js jetstream.JetStream, name string, take func(key string, text []byte) error) error {
	bucket, err := js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	keys, err := bucket.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, key := range keys {
		entry, err := bucket.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // gone meanwhile
		}
		if err != nil {
			return err
		}
		if err := take(key, entry.Value()); err != nil {
			return err
		}
	}
	return nil
}

// errUnreadable is wrapped by what Find says of a state that is no JSON of ours.
var errUnreadable = errors.New(unreadable)

// ErrUnknown is returned for a sweep that the server does not have.
var ErrUnknown = errors.New("the server has no such sweep; fieldbrain sweep status lists them")

// Find returns a sweep's state.
func Find(ctx context.Context, js jetstream.JetStream, id string) (s State, err error) {
	bucket, err := js.KeyValue(ctx, states)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return s, fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	if err != nil {
		return s, err
	}
	entry, err := bucket.Get(ctx, Token(id))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return s, fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return s, fmt.Errorf("the state of sweep %s on the server (bucket %s) is %w: %w; end what else writes there, and give the sweep's command again, which writes it anew",
			id, states, errUnreadable, err)
	}
	return s, nil
}

// Cancel makes all workers let go of a sweep. Its results stay.
func Cancel(ctx context.Context, js jetstream.JetStream, id string) error {
	s, err := Find(ctx, js, id)
	if err != nil {
		return err
	}
	s.State = Cancelled
	return setState(ctx, js, s)
}

// Remove takes everything off the server that a sweep has there, results and
// recordings too.
func Remove(ctx context.Context, js jetstream.JetStream, id string) error {
	if _, err := Find(ctx, js, id); err != nil && !errors.Is(err, errUnreadable) {
		return err
	}
	gone := func(err error, is ...error) error {
		for _, one := range is {
			if errors.Is(err, one) {
				return nil
			}
		}
		return err
	}
	bucket, err := js.KeyValue(ctx, states)
	if err != nil {
		return err
	}
	return errors.Join(
		bucket.Delete(ctx, id),
		gone(js.DeleteStream(ctx, jobStream(id)), jetstream.ErrStreamNotFound),
		gone(js.DeleteStream(ctx, resultStream(id)), jetstream.ErrStreamNotFound),
		gone(js.DeleteKeyValue(ctx, workerBucket(id)), jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound),
		gone(js.DeleteObjectStore(ctx, objectStore(id)), jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound),
	)
}

// Counts says how many results a sweep has, and how many jobs are in its queue.
func Counts(ctx context.Context, js jetstream.JetStream, id string) (results, jobs int, err error) {
	for stream, to := range map[string]*int{resultStream(id): &results, jobStream(id): &jobs} {
		s, err := js.Stream(ctx, stream)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue // half removed
		}
		if err != nil {
			return 0, 0, err
		}
		*to = int(s.CachedInfo().State.Msgs)
	}
	return results, jobs, nil
}

// A Stream is a connection to a server with JetStream.
type Stream = jetstream.JetStream

// An Overlook is a sweep as a server has it.
type Overlook struct {
	State
	Results int     `json:"results"`
	Waiting int     `json:"waiting"` // jobs in the queue, those that are being driven included
	Workers []Heart `json:"workers"`
}

// Overview lists all sweeps of a server, with results and workers.
func Overview(ctx context.Context, js Stream) (list []Overlook, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	known, err := States(ctx, js)
	if err != nil {
		return nil, err
	}
	for _, s := range known {
		o := Overlook{State: s}
		if o.Results, o.Waiting, err = Counts(ctx, js, s.ID); err != nil {
			return nil, err
		}
		if o.Workers, err = Hearts(ctx, js, s.ID); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}
