package daemon

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// A Latch hands the newest value of a plain type from the loop to slow readers.
// The zero value holds T's zero value.
type Latch[T any] struct {
	mu sync.Mutex
	v  T
}

// TryPut replaces the value unless a reader is copying it at this instant, and
// reports whether it did. It never waits; the next tick brings a newer one.
func (l *Latch[T]) TryPut(v *T) bool {
	if !l.mu.TryLock() {
		return false
	}
	l.v = *v
	l.mu.Unlock()
	return true
}

// Get returns a copy of the newest value.
func (l *Latch[T]) Get() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.v
}

// A Mailbox carries orders of people (arm, disarm, stop) to the loop's thread,
// which executes them between two ticks: the brain then has one caller only.
// The zero value is empty.
type Mailbox struct {
	senders sync.Mutex // one order at a time
	slot    atomic.Pointer[order]
}

type order struct {
	do   func() error
	done chan error // room for one, so the loop's thread never waits
}

// Do has do executed by the loop's thread and returns its error. When ctx ends
// first the order is withdrawn; if the loop is executing it just then, its
// result is waited for.
func (m *Mailbox) Do(ctx context.Context, do func() error) error {
	m.senders.Lock()
	defer m.senders.Unlock()
	o := &order{do: do, done: make(chan error, 1)}
	m.slot.Store(o)
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
	}
	if m.slot.CompareAndSwap(o, nil) {
		return fmt.Errorf("daemon: the loop did not take the order: %w", context.Cause(ctx))
	}
	return <-o.done
}

// Serve executes the order that is waiting, if any. Only the loop's thread may
// call it.
func (m *Mailbox) Serve() {
	if m.slot.Load() == nil {
		return
	}
	if o := m.slot.Swap(nil); o != nil {
		o.done <- o.do()
	}
}
