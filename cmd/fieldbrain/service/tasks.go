package service

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"fieldbrain/daemon/loop"
)

// A task runs beside the loop until its context ends.
type task struct {
	what string
	run  func(context.Context) error
}

// loopTasks returns the tasks of every loop. failed ends the program.
func (s *Service) loopTasks(failed func(error)) []task {
	list := []task{
		{"control socket", func(ctx context.Context) error {
			if s.has(Bounded) {
				s.control.OnStatus(s.statusText(failed))
			}
			s.control.OnManualLease(s.lease)
			return s.control.Serve(ctx, s.answers(failed))
		}},
		{"stop socket", s.serveStops},
		{"socket files", s.keepSockets},
		{"SIGUSR1", s.answerStopSignal},
		{"watch", s.watch},
		{"misses", s.inspector.Run},
		{"Ctrl-Z", s.answerStop},
	}
	if s.autosave != nil {
		list = append(list, task{"saves", func(ctx context.Context) error { return s.autosave.run(ctx, s.noteSave) }})
	}
	if s.car.GPU != nil {
		list = append(list, task{"graphics card", func(ctx context.Context) error {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			loop.Lower()           // a child inherits its class, and so do the card's driver's threads
			return s.car.GPU.Supervisor.Run(ctx)
		}})
	}
	return list
}

// tasks holds the running tasks and their errors.
type tasks struct {
	group sync.WaitGroup
	fault context.CancelCauseFunc // ends the loop

	mu   sync.Mutex
	errs []error
}

// start runs a task; its error, or its panic, ends the loop.
func (c *tasks) start(ctx context.Context, what string, run func(context.Context) error) {
	c.group.Go(func() {
		if err := shielded(what, func() error { return run(ctx) }); err != nil {
			c.failed(err)
		}
	})
}

// failed keeps an error and ends the loop.
func (c *tasks) failed(err error) {
	c.add(err)
	c.fault(err)
}

// add keeps an error, nil is none.
func (c *tasks) add(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

// join returns every error there was.
func (c *tasks) join() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.errs...)
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
