package daemon

import "sync"

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
