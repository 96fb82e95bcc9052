package recording

import (
	"sync/atomic"

	"fieldbrain/brain"
)

// A Ring hands ticks from the thread that ticks to one that writes. Neither waits for
// the other: where the writer is too slow, ticks are lost and counted, and the next one
// that has a place says how many.
type Ring struct {
	entries []Entry
	head    atomic.Uint64 // ticks put in; the ticking thread's
	tail    atomic.Uint64 // ticks taken out; the writer's
	lost    atomic.Uint64
}

// NewRing returns a ring with all its memory: places are at least 2.
func NewRing(places int) *Ring { return &Ring{entries: make([]Entry, max(places, 2))} }

// Put copies the tick that has just ended; whole is the field's hash where it was taken,
// else 0. It allocates nothing and does not wait; the
// thread that ticks calls it between two ticks.
func (r *Ring) Put(b *brain.Brain, t *brain.Trace, whole uint64) {
	head := r.head.Load()
	if head-r.tail.Load() == uint64(len(r.entries)) {
		r.lost.Add(1)
		return
	}
	r.entries[head%uint64(len(r.entries))].take(b, t, r.lost.Load(), whole)
	r.head.Store(head + 1)
}

// Peek returns the oldest tick, nil where there is none. The writer's alone, until Drop.
func (r *Ring) Peek() *Entry {
	tail := r.tail.Load()
	if tail == r.head.Load() {
		return nil
	}
	return &r.entries[tail%uint64(len(r.entries))]
}

// Drop gives the place of the oldest tick back.
func (r *Ring) Drop() { r.tail.Add(1) }

// Lost returns how many ticks found no place, or were dropped, since the start.
func (r *Ring) Lost() uint64 { return r.lost.Load() }

// Waiting returns how many ticks wait for the writer.
func (r *Ring) Waiting() int { return int(r.head.Load() - r.tail.Load()) }
