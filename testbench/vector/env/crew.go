package env

import (
	"sync"
	"sync/atomic"
)

// A crew does the parts of a task on several threads. The caller is one of them.
type crew struct {
	do   func(part int)
	last int64
	next atomic.Int64
	call []chan struct{}
	done sync.WaitGroup
}

// newCrew starts the others.
func newCrew(threads, parts int, do func(part int)) *crew {
	c := &crew{do: do, last: int64(parts)}
	for range min(threads, parts) - 1 {
		call := make(chan struct{})
		c.call = append(c.call, call)
		go func() {
			for range call {
				c.work()
				c.done.Done()
			}
		}()
	}
	return c
}

// work takes parts until there are none.
func (c *crew) work() {
	for {
		part := c.next.Add(1) - 1
		if part >= c.last {
			return
		}
		c.do(int(part))
	}
}

// run does every part and returns when all are done.
func (c *crew) run() {
	c.next.Store(0)
	c.done.Add(len(c.call))
	for _, call := range c.call {
		call <- struct{}{}
	}
	c.work()
	c.done.Wait()
}

// close ends the others.
func (c *crew) close() {
	for _, call := range c.call {
		close(call)
	}
	c.call = nil
}
