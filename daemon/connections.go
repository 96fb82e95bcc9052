package daemon

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// errCrowd is the reason that a connection hears when it has to make room.
var errCrowd = errors.New("the daemon is busy: more than 16 connections, this one was the oldest; nothing was done, try again")

// A connection is one client on the control socket.
type connection struct {
	conn  *net.UnixConn
	leave context.CancelCauseFunc // ends its conversation
	stops atomic.Bool             // an emergency stop of this client is being answered

	number uint64       // from 1
	lease  *ManualLease // nil where nobody can drive

	answer []byte // its newest status, kept for the memory
	far    farEnd
}

// A farEnd looks whether the other end of a connection is still open. It keeps what a look
// needs: a source sends twenty words a second, and looking allocates nothing.
type farEnd struct {
	raw  syscall.RawConn
	fds  [1]unix.PollFd
	look func(fd uintptr)
}

// hungUp reports whether the client has closed its end, so that nobody hears an answer:
// its patience is over, or it has died. One that has only said that nothing more
// comes (shutdown(2) of its writing, nc -N) still hears. The kernel reports POLLHUP for
// the former alone, unix_poll of net/unix/af_unix.c. Only the connection's own goroutine
// may ask.
func (c *connection) hungUp() bool {
	f := &c.far
	if f.look == nil {
		raw, err := c.conn.SyscallConn()
		if err != nil {
			return true // closed here
		}
		f.raw, f.look = raw, func(fd uintptr) {
			f.fds[0] = unix.PollFd{Fd: int32(fd)}
			_, _ = unix.Poll(f.fds[:], 0) // waits for nothing, so nothing interrupts it
		}
	}
	f.fds[0].Revents = 0
	return f.raw.Control(f.look) != nil || f.fds[0].Revents&unix.POLLHUP != 0
}

// connections are the clients of the control socket, oldest first.
type connections struct {
	mu   sync.Mutex
	list []*connection
}

// admit lets a connection in. In a crowd the oldest that neither stops
// the car just now nor drives it has to leave; admit returns how many did. A connection that has to
// leave loses its place at once and its request's context with it, so the cap
// holds but for the time that a handler takes to notice.
func (cs *connections) admit(c *connection) (left uint64) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.list = append(cs.list, c)
	if len(cs.list) <= maxConnections {
		return 0
	}
	i := max(0, slices.IndexFunc(cs.list, func(c *connection) bool { return !c.stops.Load() && !c.drives() }))
	cs.list[i].leave(errCrowd)
	cs.list = slices.Delete(cs.list, i, i+1)
	return 1
}

// drives reports whether somebody drives the car through the connection.
func (c *connection) drives() bool { return c.lease != nil && c.lease.holds(c.number) }

// drop stops a car that was driven through the connection, which has ended.
func (c *connection) drop() {
	if c.lease != nil {
		c.lease.Gone(c.number)
	}
}

// gone forgets a connection that has ended.
func (cs *connections) gone(c *connection) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c.leave(nil)
	cs.list = slices.DeleteFunc(cs.list, func(other *connection) bool { return other == c })
}
