package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

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

// Run stops the car and latches the stop: through the daemon, and where that one has
// not done so within a moment through the guard, which answers for itself. Where nobody
// names a socket every daemon's car stops that it finds.
func (c estopCmd) Run(e *env) error {
	return c.stop(context.Background(), e.out, c.all(e, c.path(e)))
}

// stop stops the cars of the daemons at some sockets and says how.
func (c estopCmd) stop(ctx context.Context, out io.Writer, sockets []string) error {
	answer, err := daemon.EStop(ctx, sockets, c.Guard)
	if err != nil {
		return fmt.Errorf("estop: %w", err)
	}
	fmt.Fprintln(out, cmp.Or(answer.Note, "stopped; clear with fieldbrain reset, then fieldbrain arm"))
	return nil
}
