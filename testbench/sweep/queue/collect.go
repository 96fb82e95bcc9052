package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
)

const (
	fetched   = 500                    // results asked for at once
	fetchTime = 250 * time.Millisecond // that a request for them waits
	idleTime  = time.Minute            // after which the server forgets a reader
)

// collect takes results that have come since the last time, and returns how many.
func (l *Lead) collect(ctx context.Context) (n int, err error) {
	defer func() {
		if err != nil {
			l.consumer = nil
		}
	}()
	if l.consumer == nil {
		err = once(ctx, func(ctx context.Context) (err error) {
			l.consumer, err = l.js.CreateConsumer(ctx, resultStream(l.Batch.ID), jetstream.ConsumerConfig{
				AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
				OptStartSeq: l.next, InactiveThreshold: idleTime, MemoryStorage: true,
			})
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	waiting, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	batch, err := l.consumer.Fetch(fetched, jetstream.FetchContext(waiting))
	if err != nil {
		return 0, err
	}
	for m := range batch.Messages() {
		meta, err := m.Metadata()
		if err != nil {
			return n, err
		}
		if err := l.take(ctx, m.Subject(), m.Data(), meta.Sequence.Stream); err != nil {
			return n, err
		}
		l.next = meta.Sequence.Stream + 1
		n++
	}
	if err := batch.Error(); err != nil && waiting.Err() == nil {
		return n, err
	}
	if n == 0 && !l.answers() {
		return 0, context.DeadlineExceeded
	}
	return n, nil
}

// answers reports whether the server is there.
func (l *Lead) answers() bool { return l.js.Conn().IsConnected() }

// take gives a result to the tally. One of an earlier run whose recording got lost on its
// way it takes off the server instead: the job is driven anew.
func (l *Lead) take(ctx context.Context, subject string, text []byte, at uint64) error {
	r := new(sweep.Result)
	if err := json.Unmarshal(text, r); err != nil {
		return foreign(subject, err)
	}
	parts := strings.Split(subject, ".")
	known := false
	switch parts[2] {
	case "result":
		if r.Unrecorded != "" && l.preparing {
			return l.discard(ctx, at)
		}
		known = l.Tally.Add(r)
	case "second":
		known = l.Tally.Again(r)
	case "odd":
		switch strings.TrimPrefix(parts[4], instead) {
		case "result":
			known = l.Tally.Add(r)
		case "second":
			known = l.Tally.Again(r)
		default:
			known = l.Tally.Odd(r)
		}
	}
	if !known {
		return foreign(subject, errors.New("the batch has no such job"))
	}
	return nil
}

// foreign refuses a result that no worker of this sweep can have stored: nobody knows what
// else is not what it seems.
func foreign(subject string, err error) error {
	return fmt.Errorf("the server's result %s is none of this sweep's: %w; end what else writes to the server, or workers of another version, and drive all of it anew with --afresh", subject, err)
}

// discard removes a result.
func (l *Lead) discard(ctx context.Context, at uint64) error {
	return once(ctx, func(ctx context.Context) error {
		stream, err := l.js.Stream(ctx, resultStream(l.Batch.ID))
		if err != nil {
			return err
		}
		return stream.DeleteMsg(ctx, at)
	})
}

// drain takes every result that there is now.
func (l *Lead) drain(ctx context.Context) error {
	return patiently(ctx, func(ctx context.Context) error {
		stream, err := l.js.Stream(ctx, resultStream(l.Batch.ID))
		if err != nil {
			return err
		}
		end := stream.CachedInfo().State.LastSeq
		for l.next <= end {
			n, err := l.collect(ctx)
			if err != nil {
				return err
			}
			if n == 0 {
				return nil // what is missing was removed
			}
		}
		return nil
	})
}
