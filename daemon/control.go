package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/files"
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
	Command string  `json:"command"`         // arm, disarm, estop, reset, go, set, take, drive, release, outcome, record-start, record-stop or status
	Value   float64 `json:"value,omitempty"` // of an outcome: -1 bad to 1 good, not 0
	Order   string  `json:"order,omitempty"` // of go: explore, line, goal X Y (m), home, hold or manual; of set: KEY VALUE, such as brain.cruise 0.2

	Source   string  `json:"source,omitempty"`   // of take: the name by which people know the source
	Throttle float64 `json:"throttle,omitempty"` // of drive: -1..1, share of the largest speed
	Steering float64 `json:"steering,omitempty"` // of drive: -1..1, share of the largest angle, positive left

	Client uint64 `json:"-"` // number of the connection, from 1
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
	Busy   bool    `json:"busy,omitempty"`   // not looked at: ask again
	Note   string  `json:"note,omitempty"`   // for the command go: what one should know about it
	Status *Status `json:"status,omitempty"` // for the command status
}

// A Handler answers one request. Several goroutines call it; it must respect ctx,
// which ends with the request's deadline.
type Handler func(ctx context.Context, r Request) Answer

// Control is the daemon's control socket.
type Control struct {
	path    string
	leave   func() error // removes the socket and closes it, once
	refused atomic.Uint64
	clients connections
	readers readers

	statusCache *statusCache // nil without OnStatus
	lease       *ManualLease // nil without OnManualLease
	numbered    atomic.Uint64

	mu         sync.Mutex // guards what Renew replaces
	lock       *os.File
	socket     *net.UnixListener
	socketFile socketFile // the socket's
	stops      *stopListener
	ended      bool // nothing is made anew any more
}

// lockSuffix makes the name of the lock file out of the control socket's.
const lockSuffix = ".lock"

// Listen opens the control socket with mode 0660, and beside it the one for the
// emergency stop alone (StopSocket). A lock file beside it decides
// who is the daemon: while another process holds it the error wraps ErrRunning;
// when none does, Listen removes the socket that a killed daemon left behind. A
// daemon whose lock file somebody has removed keeps its sockets all the same.
func Listen(path string) (*Control, error) {
	lock, err := own(path + lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("daemon: control socket %s: %w", path, err)
	}
	c := &Control{path: path, lock: lock}
	if c.socket, c.socketFile, err = listenControl(path); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	c.leave = sync.OnceValue(func() error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = true
		return errors.Join(c.socketFile.leave(), c.socket.Close())
	})
	if c.stops, err = listenStop(StopSocket(path)); err != nil {
		return nil, errors.Join(err, c.leave(), lock.Close())
	}
	return c, nil
}

// listenControl opens the control socket of a daemon that holds the lock: a socket that
// stands there already is one that a killed daemon left.
func listenControl(path string) (*net.UnixListener, socketFile, error) {
	if err := sweep(path); err != nil {
		return nil, socketFile{}, fmt.Errorf("daemon: control socket %s: %w", path, err)
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
	if err != nil {
		return nil, socketFile{}, fmt.Errorf("daemon: control socket %s: %w", path, err)
	}
	socket := l.(*net.UnixListener)
	socket.SetUnlinkOnClose(false) // the name may be another's by then
	place, err := take(path)
	if err == nil {
		err = os.Chmod(path, 0o660)
	}
	if err != nil {
		return nil, socketFile{}, errors.Join(fmt.Errorf("daemon: control socket %s: %w", path, err), place.leave(), socket.Close())
	}
	return socket, place, nil
}

// own takes the lock file or says who holds it.
func own(path string) (*os.File, error) {
	f, err := files.Lock(path, 0o640)
	if err != nil {
		return nil, unlockable(path, err)
	}
	files.Bequeath(path) // root's run by hand leaves it where the service has its own
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 20)) // the name is a courtesy
		f.Close()
		if err == unix.EWOULDBLOCK {
			return nil, fmt.Errorf("%w (process %s); stop it first, or choose another control.socket",
				ErrRunning, bytes.TrimSpace(holder))
		}
		return nil, fmt.Errorf("lock: %w", err)
	}
	old, err := io.ReadAll(io.LimitReader(f, 21))
	if err == nil && len(bytes.Trim(old, "0123456789\n")) > 0 {
		f.Close()
		return nil, fmt.Errorf("%s is no lock of a daemon's but holds something else; move it away, or choose another control.socket", path)
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0) // only shown to people
	}
	return f, nil
}

// unlockable says what to do where the lock file cannot be opened.
func unlockable(path string, err error) error {
	if info, seen := os.Lstat(path); seen == nil && errors.Is(err, fs.ErrPermission) && info.Mode().IsRegular() {
		return fmt.Errorf("open lock: %w: the file is another user's: sudo rm %s once no daemon of that user runs", err, path)
	}
	return fmt.Errorf("open lock (is the folder there, and writable?): %w", err)
}

// Path returns the socket's path.
func (c *Control) Path() string { return c.path }

// Refused returns how many connections the socket closed at the cap, or did not
// accept.
func (c *Control) Refused() uint64 { return c.refused.Load() }

// Close removes both sockets and gives up the lock: after Serve and ServeStops
// have ended, or without them.
func (c *Control) Close() error {
	err := c.leave()
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(err, c.stops.close(), c.lock.Close())
}

// Serve answers requests until ctx is done, then closes the socket and waits for
// the requests being answered.
func (c *Control) Serve(ctx context.Context, h Handler) error {
	var busy sync.WaitGroup
	stop := context.AfterFunc(ctx, func() { _ = c.leave() })
	defer stop()
	defer busy.Wait()
	for {
		socket := c.listening()
		conn, err := socket.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed) && c.listening() != socket: // Renew has made another
			continue
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("daemon: control socket: %w", err)
		case err != nil: // out of descriptors, or the peer gave up: both pass
			c.refused.Add(1)
			pause(ctx, 100*time.Millisecond)
			continue
		}
		within, leave := context.WithCancelCause(ctx)
		client := &connection{conn: conn.(*net.UnixConn), leave: leave, number: c.numbered.Add(1), lease: c.lease}
		c.refused.Add(c.clients.admit(client))
		busy.Go(func() {
			defer c.clients.gone(client)
			defer client.drop()
			c.converse(within, client, h)
		})
	}
}

// pause waits for d, or reports that ctx has ended. Nothing depends on its
// precision.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
