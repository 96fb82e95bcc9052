package picarx

import "sync/atomic"

// A tripleBuffer hands the newest value of one goroutine to one other without
// making either wait. It has three places: the writer owns one, the reader owns
// one, and an atomic swap exchanges the third. A sequence lock would let a
// real-time reader spin on a writer that it keeps from running.
type tripleBuffer[T any] struct {
	copies [3]T
	middle atomic.Uint32 // index of the place in between, with the fresh bit
	write  uint32        // the writer's place
	read   uint32        // the reader's place
}

const freshBit = 4

// init gives every party its place; all hold the zero value.
func (b *tripleBuffer[T]) init() { b.write, b.read = 1, 2 }

// publish makes v the newest value. Only the writer calls it.
func (b *tripleBuffer[T]) publish(v *T) {
	b.copies[b.write] = *v
	b.write = b.middle.Swap(b.write|freshBit) &^ freshBit
}

// newest returns the newest published value, valid until the next call. Only
// the reader calls it.
func (b *tripleBuffer[T]) newest() *T {
	if b.middle.Load()&freshBit != 0 {
		b.read = b.middle.Swap(b.read) &^ freshBit
	}
	return &b.copies[b.read]
}
