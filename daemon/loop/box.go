package loop

import "sync"

// A Box is a realtime box (realtime_tools: RealtimeThreadSafeBox): it hands the
// newest value of a plain type from the loop to slow readers.
// The zero value holds T's zero value.
type Box[T any] struct {
	mu sync.Mutex
	v  T
}

// TrySet replaces the value unless a reader is copying it at this instant, and
// reports whether it did. It never waits; the next tick brings a newer one.
func (b *Box[T]) TrySet(v *T) bool {
	if !b.mu.TryLock() {
		return false
	}
	b.v = *v
	b.mu.Unlock()
	return true
}

// Get returns a copy of the newest value.
func (b *Box[T]) Get() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.v
}
