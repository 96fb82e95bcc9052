package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrRunning says that another daemon owns the control socket.
var ErrRunning = errors.New("another daemon is running")

// Limits of the control socket. A request is one short line; the daemon cuts off
// a client that sends more or slower. When there are more connections than people
// need, it ends the oldest: the newest may be the one that wants to stop the car.
const (
	maxRequest     = 4096            // bytes of a line
	maxConnections = 16              // at the same time
	requestTime    = 2 * time.Second // from the first byte's wait to the answer's last
)

// A Request is one line of JSON from a client.
type Request struct {
	Command string  `json:"command"`         // arm, disarm, estop, reset, outcome or status
	Value   float64 `json:"value,omitempty"` // of an outcome: -1 bad to 1 good, not 0
}

// CheckOutcome refuses a value that is no judgement of the car's conduct.
func CheckOutcome(v float64) error {
	if !(v >= -1 && v <= 1) || float32(v) == 0 {
		return fmt.Errorf("outcome %v: say a number from -1 (bad) to 1 (good), and not 0 or next to it, which says nothing", v)
	}
	return nil
}

// An Answer is the line of JSON that answers a Request.
type Answer struct {
	OK     bool    `json:"ok"`
	Error  string  `json:"error,omitempty"`  // why not, with what to do
	Status *Status `json:"status,omitempty"` // for the command status
}

// A Handler answers one request. Several goroutines call it; it must respect ctx,
// which ends with the request's deadline.
type Handler func(ctx context.Context, r Request) Answer

// Control is the daemon's control socket.
type Control struct {
	path    string
	lock    *os.File
	socket  *net.UnixListener
	refused atomic.Uint64
	clients connections
}

// Listen opens the control socket with mode 0660. A lock file beside it decides
// who is the daemon: while another process holds it the error wraps ErrRunning;
// when none does, Listen removes the socket that a killed daemon left behind.
func Listen(path string) (*Control, error) {
	lock, err := own(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("daemon: control socket %s: %w", path, err)
	}
	if err := sweep(path); err != nil {
		lock.Close()
		return nil, fmt.Errorf("daemon: control socket %s: %w", path, err)
	}
	// The mode is put on the socket before it gets its name, so there is no
	// instant at which others could connect. The umask can only take away.
	var listener net.ListenConfig
	listener.Control = func(_, _ string, c syscall.RawConn) error {
		var chmodErr error
		err := c.Control(func(fd uintptr) { chmodErr = unix.Fchmod(int(fd), 0o660) })
		return errors.Join(err, chmodErr)
	}
	l, err := listener.Listen(context.Background(), "unix", path)
	if err == nil {
		err = os.Chmod(path, 0o660)
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("daemon: control socket %s: %w", path, err)
	}
	return &Control{path: path, lock: lock, socket: l.(*net.UnixListener)}, nil
}

// own takes the lock file or says who holds it.
func own(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o640)
	if err != nil {
		return nil, fmt.Errorf("open lock (is the folder there, and writable?): %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 20)) // the name is a courtesy
		f.Close()
		if err == unix.EWOULDBLOCK {
			return nil, fmt.Errorf("%w (process %s); stop it first, or choose another control.socket",
				ErrRunning, bytes.TrimSpace(holder))
		}
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := f.Truncate(0); err == nil {
		_, _ = fmt.Fprintf(f, "%d\n", os.Getpid()) // only shown to people
	}
	return f, nil
}

// sweep removes a socket without a listener; it touches nothing else.
func sweep(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("a file that is not a socket stands there (%v); move it away", info.Mode())
	}
	return os.Remove(path)
}

// Path returns the socket's path.
func (c *Control) Path() string { return c.path }

// Refused returns how many connections the socket closed at the cap, or did not
// accept.
func (c *Control) Refused() uint64 { return c.refused.Load() }

// Close removes the socket and gives up the lock. Serve does so by itself; this
// is for a daemon that fails before it serves.
func (c *Control) Close() error {
	return errors.Join(c.socket.Close(), c.lock.Close())
}

// Serve answers requests until ctx is done, then closes the socket, waits for
// the requests being answered and gives up the lock.
func (c *Control) Serve(ctx context.Context, h Handler) error {
	var busy sync.WaitGroup
	stop := context.AfterFunc(ctx, func() { c.socket.Close() })
	defer stop()
	defer c.lock.Close()
	defer busy.Wait()
	for {
		conn, err := c.socket.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("daemon: control socket: %w", err)
		case err != nil: // out of descriptors, or the peer gave up: both pass
			c.refused.Add(1)
			pause(ctx, 100*time.Millisecond)
			continue
		}
		within, leave := context.WithCancelCause(ctx)
		client := &connection{conn: conn, leave: leave}
		c.refused.Add(c.clients.admit(client))
		busy.Go(func() {
			defer c.clients.gone(client)
			c.converse(within, client, h)
		})
	}
}

// converse answers one connection's requests, each within its own deadline,
// until ctx ends. A faulty request hurts no other.
func (c *Control) converse(ctx context.Context, client *connection, h Handler) {
	conn := client.conn
	defer conn.Close()
	defer func() {
		if r := recover(); r != nil {
			reply(conn, Answer{Error: fmt.Sprintf("the daemon failed at this request: %v; report it", r)})
		} else if errors.Is(context.Cause(ctx), errCrowd) {
			reply(conn, Answer{Error: errCrowd.Error()})
		}
	}()
	stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	lines := bufio.NewReaderSize(conn, maxRequest)
	for ctx.Err() == nil {
		if err := conn.SetDeadline(time.Now().Add(requestTime)); err != nil || ctx.Err() != nil {
			return // gone, or the end came before the deadline was set
		}
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			reply(conn, Answer{Error: fmt.Sprintf("the request is longer than %d bytes", maxRequest)})
			return
		}
		if err != nil {
			return // hung up, or too slow
		}
		var r Request
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			reply(conn, Answer{Error: fmt.Sprintf("not a request: %v; send {\"command\":\"status\"}", err)})
			return
		}
		within, cancel := context.WithTimeout(ctx, requestTime*3/4)
		client.stops.Store(r.Command == "estop")
		response := h(within, r)
		client.stops.Store(false)
		cancel()
		if reply(conn, response) != nil {
			return
		}
	}
}

func reply(w io.Writer, r Answer) error {
	line, err := json.Marshal(r)
	if err != nil {
		line = fmt.Appendf(nil, `{"ok":false,"error":%q}`, err.Error())
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// pause waits for d or the end of ctx. Nothing depends on its precision.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
