package gpu

import (
	"sync/atomic"
	"time"
)

// A caller is the client's side of the page: it gives orders and waits for their
// end. One goroutine owns it; any goroutine may call giveUp.
type caller struct {
	call *Call
	done futex
	spin time.Duration // how long wait looks before it sleeps
	last uint32        // newest order given
	dead atomic.Bool   // the child answers no more
}

func newCaller(page *Page, spin time.Duration) *caller {
	return &caller{call: &page.Call, done: futex{word: &page.Call.Done}, spin: spin, last: load(&page.Call.Request)}
}

// An outcome is how a wait ended.
type outcome uint8

const (
	pending outcome = iota
	finished
	refused // the child says it failed
	died
)

// give gives an order. The one before must have ended.
func (c *caller) give(order Order, channel int) {
	c.call.Order, c.call.Channel = order, uint32(channel)
	c.last++
	store(&c.call.Request, c.last)
	if load(&c.call.Dozing) != 0 {
		wake(&c.call.Request)
	}
}

// look says how far the newest order is. With answer it has finished as soon as
// a step's answer may be read, without it when the child is done with all.
func (c *caller) look(answer bool) outcome {
	if answer && atomic.LoadUint64(&c.call.Answered) == uint64(c.last) {
		return finished
	}
	if load(&c.call.Done) == c.last {
		if load(&c.call.Failed) != 0 {
			return refused
		}
		if !answer || atomic.LoadUint64(&c.call.Answered) == uint64(c.last) {
			return finished
		}
		return refused // done without an answer
	}
	if c.dead.Load() {
		return died
	}
	return pending
}

// wait waits for the newest order until limit has passed since began. An order that
// is still pending then is late.
func (c *caller) wait(answer bool, began time.Time, limit time.Duration) outcome {
	for {
		for range looks {
			if o := c.look(answer); o != pending {
				return o
			}
		}
		passed := time.Since(began)
		if passed >= limit {
			return pending
		}
		if passed >= c.spin {
			c.sleep(answer, limit-passed)
		}
	}
}

// sleep waits in the kernel until Done changes, at most for d.
func (c *caller) sleep(answer bool, d time.Duration) {
	seen := load(&c.call.Done)
	store(&c.call.Asleep, 1)
	if c.look(answer) == pending {
		c.done.wait(seen, d)
	}
	store(&c.call.Asleep, 0)
}

// giveUp says that the child is dead: a client that waits stops at once. Done
// changes as well, or a client about to sleep would miss it.
func (c *caller) giveUp() {
	c.dead.Store(true)
	store(&c.call.Done, load(&c.call.Done)^1<<31)
	wake(&c.call.Done)
}
