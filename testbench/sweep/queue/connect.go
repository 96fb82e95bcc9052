package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An Address says how to reach a server, with NATS' own means. Names of files are
// the caller's; empty ones are left out.
type Address struct {
	URL   string // nats://host:4222, tls://user:password@host, or several with commas
	Creds string // file with a user's JWT and seed
	NKey  string // file with a seed
	CA    string // file with the authorities that sign servers
	Cert  string // file with this client's certificate
	Key   string // and its key
	Name  string // of this client, for the server's log
}

// options returns NATS' options.
func (a Address) options() ([]nats.Option, error) {
	list := []nats.Option{
		nats.Name(a.Name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, time.Second), nats.Timeout(requestTime),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
	}
	if a.Creds != "" {
		list = append(list, nats.UserCredentials(a.Creds))
	}
	if a.NKey != "" {
		key, err := nats.NkeyOptionFromSeed(a.NKey)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.NKey, err)
		}
		list = append(list, key)
	}
	if a.CA != "" {
		list = append(list, nats.RootCAs(a.CA))
	}
	if a.Cert != "" || a.Key != "" {
		list = append(list, nats.ClientCert(a.Cert, a.Key))
	}
	return list, nil
}

// Connect connects to a server that has JetStream. It does not wait for one that
// is not there; a connection that is lost later comes back by itself.
func Connect(ctx context.Context, a Address) (*nats.Conn, jetstream.JetStream, error) {
	options, err := a.options()
	if err != nil {
		return nil, nil, err
	}
	conn, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("connect: %w", err)
	}
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(512), jetstream.WithPublishAsyncTimeout(requestTime))
	if err == nil {
		err = once(ctx, func(ctx context.Context) error {
			_, err := js.AccountInfo(ctx)
			return err
		})
	}
	if err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("the server has no JetStream for this user: %w (start it with jetstream enabled: nats-server -js)", err)
	}
	return conn, js, nil
}
