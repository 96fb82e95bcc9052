package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fieldbrain/testbench/sweep"
)

// chunk is how many messages are under way at once.
const chunk = 256

// fill puts every job without a result into the queue, and those whose second
// result is missing. What is in the queue already stays there once.
func (l *Lead) fill(ctx context.Context) error {
	var list []*nats.Msg
	for _, job := range l.Tally.Missing() {
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		m := nats.NewMsg(jobSubject(l.Batch.ID, job.Engine, job.ID))
		m.Data = text
		list = append(list, m)
	}
	for _, r := range l.Tally.Unchecked() {
		m, err := again(l.Batch.ID, r.Job, r.Worker)
		if err != nil {
			return err
		}
		list = append(list, m)
	}
	for len(list) > 0 {
		n := min(chunk, len(list))
		if err := patiently(ctx, func(ctx context.Context) error { return l.publish(ctx, list[:n]) }); err != nil {
			return fmt.Errorf("fill the queue: %w", err)
		}
		list = list[n:]
	}
	return nil
}

// idleLooks is how many looks in a row a queue may have jobs that nobody waits for: one may
// just have come.
const idleLooks = 3

// clear empties a queue that has jobs of which none waits for a worker and none is a
// worker's: a server gives out no job of which its disk has changed a byte. It reports
// whether it has; what is missing is asked for anew.
func (l *Lead) clear(ctx context.Context, queue jetstream.Stream) (bool, error) {
	for _, engine := range l.engines() {
		c, err := queue.Consumer(ctx, engineConsumer(engine))
		if err != nil {
			return false, err
		}
		if i := c.CachedInfo(); i.NumPending > 0 || i.NumAckPending > 0 {
			l.idle = 0
			return false, nil
		}
	}
	if l.idle++; l.idle < idleLooks {
		return false, nil
	}
	l.idle = 0
	return true, queue.Purge(ctx)
}

// again is the message that asks for a second opinion on a job.
func again(id string, job sweep.Job, first string) (*nats.Msg, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(againSubject(id, job.Engine, job.ID))
	m.Data = text
	m.Header.Set(ranBy, first)
	return m, nil
}

// publish stores messages. One that is in the queue already is as good as stored.
func (l *Lead) publish(ctx context.Context, list []*nats.Msg) error {
	var under []jetstream.PubAckFuture
	for _, m := range list {
		f, err := l.js.PublishMsgAsync(m)
		if err != nil {
			return errors.Join(err, acknowledged(ctx, under))
		}
		under = append(under, f)
	}
	return acknowledged(ctx, under)
}

// acknowledged waits for what the server says of messages, and returns its first
// refusal.
func acknowledged(ctx context.Context, under []jetstream.PubAckFuture) (first error) {
	for _, f := range under {
		var err error
		select {
		case <-f.Ok():
		case err = <-f.Err():
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil && !full(err) && first == nil {
			first = err
		}
	}
	return first
}
