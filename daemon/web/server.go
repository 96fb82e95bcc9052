package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/daemon/config"
)

// Limits of the server. People need a few connections; whoever takes more is refused
// and counted.
const (
	maxConnections = 128              // at the same time
	maxOfOne       = 96               // of them from one address: whoever else is there can stop the car
	maxStreams     = 64               // pages that are being shown
	maxHeader      = 8 << 10          // bytes; net/http reads 4 KiB more before it refuses
	maxBody        = 4 << 10          // bytes of a request
	headTime       = 5 * time.Second  // for a request's head
	readTime       = 10 * time.Second // for a whole request
	writeTime      = 15 * time.Second // for an answer, or for a part of one that goes on
	idleTime       = 60 * time.Second // between requests
	partingTime    = time.Second      // for requests under way at the end
	maxPEM         = 64 << 10         // bytes of a certificate or key
)

// Options say what is served, and where.
type Options struct {
	Settings config.Web
	Sockets  []string       // where a daemon's control socket may be; its page lies beside it
	Guard    string         // socket of fieldbrain-guard, for the emergency stop
	Page     string         // the page to show, "" finds it (daemon.FindPage)
	Version  string         // of the program
	Token    string         // to go on with, of a server before; without it, and without a file, a new one
	Note     func(s string) // hears what people should know; nil: nobody
}

// A Server serves one run after the other, as daemons come and go.
type Server struct {
	options  Options
	tokens   tokens
	listener net.Listener
	secure   *tls.Config // nil: plain HTTP
	watch    *watch
	hub      *hub
	rates    rates
	refused  refusals
	tickets  tickets
	sessions manualSessions
	streams  atomic.Int32
	leaving  context.Context // ends with Serve, and every stream with it
}

// New reads tokens and certificate and opens the port. It refuses settings that would
// let strangers in; Serve closes what it opened.
func New(o Options) (*Server, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if err := checked(o.Settings); err != nil {
		return nil, err
	}
	s := &Server{options: o, hub: newHub(), rates: newRates(), leaving: context.Background()}
	var err error
	if s.tokens, err = readTokens(o.Settings, o.Token, tokenFile); err != nil {
		return nil, err
	}
	if o.Settings.Certificate != "" {
		if s.secure, err = secured(o.Settings); err != nil {
			return nil, err
		}
	}
	var listen net.ListenConfig
	l, err := listen.Listen(context.Background(), "tcp", o.Settings.Listen)
	if err != nil {
		return nil, fmt.Errorf("web: web.listen: %w: choose another address or port", err)
	}
	s.listener = &cappedListener{Listener: l, from: map[string]int{}, refused: &s.refused}
	s.watch = newWatch(o, s.hub)
	return s, nil
}

// checked refuses settings that would let strangers in, whoever has read them.
func checked(set config.Web) error {
	c := config.Default()
	c.Web = set
	return c.Validate()
}

// Close closes the port of a server that never served.
func (s *Server) Close() error { return s.listener.Close() }

// Address returns where the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// URL returns where the server listens as an address (see Link). Behind # stands the token,
// which browsers send nowhere; it is there only if it is new and in no file.
func (s *Server) URL() string {
	scheme := "http"
	if s.secure != nil {
		scheme = "https"
	}
	url := scheme + "://" + s.Address() + "/"
	if s.options.Settings.Token == "" {
		url += "#token=" + s.tokens.command
	}
	return url
}

// Serve answers until ctx ends, then closes the port.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.leaving = ctx
	var beside sync.WaitGroup
	beside.Go(func() { s.watch.run(ctx) })
	server := &http.Server{
		Handler:           s.gate(s.routes()),
		ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, TLSConfig: s.secure,
		ErrorLog: log.New(io.Discard, "", 0), // what strangers send is counted, not printed
	}
	beside.Go(func() {
		<-ctx.Done()
		within, done := context.WithTimeout(context.Background(), partingTime)
		defer done()
		if server.Shutdown(within) != nil {
			server.Close()
		}
	})
	var err error
	if s.secure != nil {
		err = server.ServeTLS(s.listener, "", "")
	} else {
		err = server.Serve(s.listener)
	}
	cancel()
	beside.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("web: %w", err)
}
