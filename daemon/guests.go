package daemon

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// errCrowd is what a connection hears that had to make room.
var errCrowd = errors.New("the daemon is busy: more than 16 connections, this one was the oldest; try again")

// A guest is one connection to the control socket.
type guest struct {
	conn  net.Conn
	leave context.CancelCauseFunc // ends its conversation
	stops atomic.Bool             // it is being answered an emergency stop
}

// guests are the connections there are, oldest first.
type guests struct {
	mu   sync.Mutex
	list []*guest
}

// admit lets a connection in. In a crowd the oldest that is not just stopping
// the car has to leave; admit returns how many did. A guest that has to leave
// loses its place at once and its request's context with it, so more than the
// cap are there only for the time a handler takes to notice.
func (gs *guests) admit(g *guest) (left uint64) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.list = append(gs.list, g)
	if len(gs.list) <= maxConnections {
		return 0
	}
	i := max(0, slices.IndexFunc(gs.list, func(g *guest) bool { return !g.stops.Load() }))
	gs.list[i].leave(errCrowd)
	gs.list = slices.Delete(gs.list, i, i+1)
	return 1
}

// gone forgets a connection that has ended.
func (gs *guests) gone(g *guest) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g.leave(nil)
	gs.list = slices.DeleteFunc(gs.list, func(other *guest) bool { return other == g })
}
