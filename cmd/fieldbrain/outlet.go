package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"fieldbrain/daemon"
)

// An outlet is where a command prints. It remembers that something did not arrive: most
// of what prints does not look, and nobody shall take a part of it for all of it.
type outlet struct {
	mu   sync.Mutex
	to   *daemon.Plain
	lost error // the first one
}

// newOutlet returns an outlet that prints to w what a terminal may have.
func newOutlet(w io.Writer) *outlet { return &outlet{to: daemon.NewPlain(w)} }

// Write writes. A reader that has gone wants no more, and has lost nothing.
func (o *outlet) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.to.Write(text)
	if o.lost == nil && !errors.Is(err, syscall.EPIPE) {
		o.lost = err
	}
	return n, err
}

// lost returns what a command that is content has lost of its output. The daemon prints
// through a writer of its own, which may give up: it looks for itself.
func (e *env) lost() error {
	o, is := e.out.(*outlet)
	if !is {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost == nil {
		return nil
	}
	return fmt.Errorf("%w: the command went to its end, but a part of what it printed is lost: "+room+" there, or print elsewhere", o.lost)
}
