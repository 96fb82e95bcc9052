package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fieldbrain/daemon"
)

// guardFlag chooses the guard.
type guardFlag struct {
	Guard string `help:"Socket of fieldbrain-guard." placeholder:"PATH" default:"/run/fieldbrain-guard/guard.sock"`
}

type estopCmd struct {
	socketFlag
	guardFlag
}

// stopsAlone is how long the daemon has the stop to itself: it brakes and keeps the
// steering, where the guard can only cut the HAT off.
const stopsAlone = 250 * time.Millisecond

// Run stops the car and latches the stop: through the daemon, and where that one has
// not done so within a moment through the guard, which answers for itself.
func (c estopCmd) Run(e *env) error { return c.stop(context.Background(), e.out, c.path(e)) }

// stop stops the daemon's car at a socket and says how.
func (c estopCmd) stop(parent context.Context, out io.Writer, socket string) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	asked := make(chan error, 1)
	go func() { asked <- refused(daemon.Stop(ctx, socket)) }()
	var err error
	select {
	case err = <-asked:
	case <-time.After(stopsAlone):
		err = errLate
	}
	if err == nil {
		fmt.Fprintln(out, "stopped; clear with fieldbrain reset, then fieldbrain arm")
		return nil
	}
	guarded := refused(daemon.StopAt(ctx, daemon.StopSocket(c.Guard)))
	if guarded == nil {
		fmt.Fprintf(out, "stopped by fieldbrain-guard, the HAT is in reset (the daemon: %v)\n", err)
		return nil
	}
	if errors.Is(err, errLate) {
		err = <-asked
	}
	if err != nil && !errors.Is(guarded, daemon.ErrNoDaemon) {
		err = fmt.Errorf("%w; the guard: %w", err, guarded)
	}
	if err != nil {
		return fmt.Errorf("estop: %w", err)
	}
	fmt.Fprintln(out, "stopped; clear with fieldbrain reset, then fieldbrain arm")
	return nil
}

// errLate says that the daemon took its time.
var errLate = errors.New("no answer yet")
