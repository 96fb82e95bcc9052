package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// StopSocket returns the path of the socket for the emergency stop alone that
// belongs to a control socket.
func StopSocket(control string) string { return control + stopSuffix }

// stopSuffix makes that path out of the control socket's.
const stopSuffix = ".stop"

// stopBacklog is how many stops the kernel keeps until the daemon takes them:
// its own limit, net.core.somaxconn, is no larger by default.
const stopBacklog = 4096

// A stopListener is the socket of the emergency stop. Whoever connects stops the
// car: there is nothing to read, so that no request can be late, too long or
// cut off, and no number of connections is too many.
//
// It is a descriptor in the kernel's hands and not the runtime's poller's: its
// thread waits in the kernel itself, so that a raised thread wakes up as such.
type stopListener struct {
	socketFile socketFile
	fd         int

	once   sync.Once // closes it
	closed error
}

// listenStop opens the socket of a control socket's daemon, which owns the
// lock: a socket that stands there already is one that a killed daemon left.
func listenStop(path string) (*stopListener, error) {
	if err := sweep(path); err != nil {
		return nil, fmt.Errorf("daemon: stop socket %s: %w", path, err)
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("daemon: stop socket %s: %w", path, err)
	}
	err = unix.Fchmod(fd, 0o660) // as the control socket: before it has its name
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrUnix{Name: path})
	}
	l := &stopListener{fd: fd}
	if err == nil {
		l.socketFile, err = take(path)
	}
	if err == nil {
		err = errors.Join(os.Chmod(path, 0o660), unix.Listen(fd, stopBacklog))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("daemon: stop socket %s: %w", path, err), l.close())
	}
	return l, nil
}

// interrupt ends an accept that waits, and every later one.
func (l *stopListener) interrupt() { _ = unix.Shutdown(l.fd, unix.SHUT_RDWR) }

// close removes the socket. Nobody may be in accept any more.
func (l *stopListener) close() error {
	l.once.Do(func() { l.closed = errors.Join(l.socketFile.leave(), unix.Close(l.fd)) })
	return l.closed
}

// accept waits for a stop and returns its connection, or -1 where the process
// has no descriptor left for it: a stop all the same. ok is false at the end. It looks
// first whether somebody waits: accept4 wants a descriptor before it looks.
func (l *stopListener) accept() (conn int, ok bool) {
	waits := []unix.PollFd{{Fd: int32(l.fd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(waits, -1); errors.Is(err, syscall.EINTR) {
			continue
		} // after any other error accept waits, and says what is wrong
		conn, _, err := unix.Accept4(l.fd, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		switch {
		case err == nil:
			return conn, true
		case errors.Is(
			err, syscall.EMFILE,
		), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.ENOBUFS):
			return -1, true
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.ECONNABORTED):
		default:
			return -1, false
		}
	}
}

// A Stopper carries out emergency stops.
type Stopper struct {
	Raise func()                           // raises the thread that waits for stops; may be nil
	Now   func()                           // makes the next tick stop the car; must not wait
	Stop  func(ctx context.Context) Answer // stops the car and says whether it stands
}

// ServeStops stops the car for whoever connects to the stop socket, until ctx is
// done. One Stop at a time answers all that came before it began.
func (c *Control) ServeStops(ctx context.Context, s Stopper) error {
	q := &stopQueue{due: make(chan struct{}, 1)}
	var answering sync.WaitGroup
	answering.Go(func() {
		for range q.due {
			conns := q.take()
			tell(conns, s.Stop(ctx))
		}
	})
	end := context.AfterFunc(ctx, c.interrupt)
	defer end()
	accepting := make(chan struct{})
	go func() { // a raised thread ends with its goroutine: it is never unlocked
		defer close(accepting)
		runtime.LockOSThread()
		if s.Raise != nil {
			s.Raise()
		}
		for stops := c.stopping(); ; {
			conn, ok := stops.accept()
			if !ok {
				next := c.stopping()
				if next == stops {
					return
				}
				_ = stops.close() // Renew has made another: the name is that one's
				stops = next
				continue
			}
			s.Now()
			q.add(conn)
			if conn < 0 {
				pause(ctx, scarce)
			}
		}
	}()
	<-accepting
	close(q.due)
	answering.Wait()
	if ctx.Err() == nil {
		return errors.New("daemon: the stop socket broke; start the daemon anew")
	}
	return nil
}

// scarce is how long the daemon waits for a descriptor when it has none left.
const scarce = 10 * time.Millisecond

// A stopQueue is the connections that wait for their answer.
type stopQueue struct {
	due   chan struct{} // has a token while somebody waits
	mu    sync.Mutex
	conns []int
}

// add queues a connection; -1 is a stop that hears no answer.
func (q *stopQueue) add(conn int) {
	if conn >= 0 {
		q.mu.Lock()
		q.conns = append(q.conns, conn)
		q.mu.Unlock()
	}
	select {
	case q.due <- struct{}{}:
	default: // the Stop that is due takes this one along
	}
}

// take empties the queue.
func (q *stopQueue) take() []int {
	q.mu.Lock()
	defer q.mu.Unlock()
	conns := q.conns
	q.conns = nil
	return conns
}

// tell answers connections and closes them. A line fits into a fresh socket's
// buffer, so nobody is waited for; who has gone hears nothing.
func tell(conns []int, a Answer) {
	line := encode(a)
	for _, conn := range conns {
		_ = unix.Sendto(conn, line, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT, nil)
		_ = unix.Close(conn)
	}
}
