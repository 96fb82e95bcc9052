package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
)

// untilSignal returns a context that ends when somebody or something wants the
// program to end: Ctrl-C, Ctrl-\, a service manager, a terminal that closes.
// An orderly end is the only one that stops the motors, so what would end or
// freeze the program without one is ignored from here on: a reader of its
// output that has gone, and Ctrl-Z, which stops the thread that renews the
// motors' lease together with the one that watches it. A hang-up that was
// ignored at the start (nohup) stays ignored.
//
// The ignored signals stay so: the last lines are written after restore.
func untilSignal(parent context.Context) (ctx context.Context, restore func()) {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return signal.NotifyContext(parent, ends...)
}

// shielded calls f and turns its panic into an error with the stack, so that a
// defect beside the loop ends in a halt like any other fault.
func shielded(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panicked: %v\n%s", what, r, debug.Stack())
		}
	}()
	return f()
}

// failures gathers errors from several goroutines.
type failures struct {
	mu   sync.Mutex
	errs []error
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.errs = append(f.errs, err)
	}
}

func (f *failures) join() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.errs...)
}
