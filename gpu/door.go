package gpu

import (
	"sync/atomic"
	"time"
)

// A bell is the client's side of the door: it gives orders and waits for their
// end. One goroutine owns it; toll may be called by any.
type bell struct {
	door *Door
	done futex
	spin time.Duration // how long a wait looks before it sleeps
	last uint32        // newest order given
	dead atomic.Bool   // nobody answers any more
}

func newBell(page *Page, spin time.Duration) *bell {
	return &bell{door: &page.Door, done: futex{word: &page.Door.Done}, spin: spin, last: load(&page.Door.Request)}
}

// An outcome is how a wait ended.
type outcome uint8

const (
	pending outcome = iota
	finished
	refused // the child says it failed
	died
)

// ring gives an order. The one before must have ended.
func (b *bell) ring(order Order, channel int) {
	b.door.Order, b.door.Channel = order, uint32(channel)
	b.last++
	store(&b.door.Request, b.last)
	if load(&b.door.Dozing) != 0 {
		wake(&b.door.Request)
	}
}

// look says how far the newest order is. With answer it has finished as soon as
// a step's answer may be read, without it when the child is done with all.
func (b *bell) look(answer bool) outcome {
	if answer && atomic.LoadUint64(&b.door.Answered) == uint64(b.last) {
		return finished
	}
	if load(&b.door.Done) == b.last {
		if load(&b.door.Failed) != 0 {
			return refused
		}
		if !answer || atomic.LoadUint64(&b.door.Answered) == uint64(b.last) {
			return finished
		}
		return refused // done without an answer
	}
	if b.dead.Load() {
		return died
	}
	return pending
}

// wait waits for the newest order until limit has passed since began. What is
// still pending then is late.
func (b *bell) wait(answer bool, began time.Time, limit time.Duration) outcome {
	for {
		for range looks {
			if o := b.look(answer); o != pending {
				return o
			}
		}
		passed := time.Since(began)
		if passed >= limit {
			return pending
		}
		if passed >= b.spin {
			b.sleep(answer, limit-passed)
		}
	}
}

// sleep waits in the kernel until Done changes, at most for d.
func (b *bell) sleep(answer bool, d time.Duration) {
	seen := load(&b.door.Done)
	store(&b.door.Asleep, 1)
	if b.look(answer) == pending {
		b.done.wait(seen, d)
	}
	store(&b.door.Asleep, 0)
}

// toll says that the child is dead: whoever waits stops waiting at once. Done
// changes as well, or a client about to sleep would miss it.
func (b *bell) toll() {
	b.dead.Store(true)
	store(&b.door.Done, load(&b.door.Done)^1<<31)
	wake(&b.door.Done)
}
