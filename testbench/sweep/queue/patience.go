package queue

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// How long one request may take, and the pauses between two tries.
const (
	requestTime  = 5 * time.Second
	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
)

// storeFailed is JetStream's code of a message that its store refused.
const storeFailed = 10077

// full reports whether the store refused a message because its subject has one.
func full(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == storeFailed && strings.Contains(api.Description, "per subject")
}

// passing reports whether a server that is away, or not awake yet, explains an error.
func passing(err error) bool {
	for _, one := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrNoServers, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout, jetstream.ErrNoHeartbeat,
		jetstream.ErrServerShutdown, jetstream.ErrConnectionClosed, jetstream.ErrConsumerLeadershipChanged,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == 503 && !full(err)
}

// patiently works until it succeeds, fails for another reason than a server that is
// away, or the context ends.
func patiently(ctx context.Context, work func(ctx context.Context) error) error {
	pause := firstPause
	for {
		err := once(ctx, work)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(err):
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, longestPause)
	}
}

// once works with the time of one request.
func once(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return work(ctx)
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
