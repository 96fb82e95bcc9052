package daemon

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/telemetry"
	"fieldbrain/files"
	"fieldbrain/robot/safety"
)

// ErrUnreachable says that a daemon runs whose socket is gone.
var ErrUnreachable = errors.New("the daemon runs, but its socket is gone")

// An UnreachableError names the process that runs without its socket. It wraps
// ErrUnreachable.
type UnreachableError struct {
	Path string // where the socket should stand
	PID  int

	control string // path of the control socket
	locked  bool   // the process holds the lock file: it is the daemon
}

// Error names the process and what stops its car all the same.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("daemon: process %d runs, but nothing listens at its socket %s: kill -USR1 %d stops the car; "+
		"the daemon makes its sockets anew within a second, or its log says why it cannot", e.PID, e.Path, e.PID)
}

// Unwrap returns ErrUnreachable.
func (e *UnreachableError) Unwrap() error { return ErrUnreachable }

// unreachable looks for a daemon that runs although nobody listens at a socket of its;
// nil where there is none.
func unreachable(path string) *UnreachableError {
	control := strings.TrimSuffix(path, StopSocket(""))
	if pid, ok := lockHolder(control + lockSuffix); ok {
		return &UnreachableError{Path: path, PID: pid, control: control, locked: true}
	}
	if pid, ok := pageWriter(control); ok {
		return &UnreachableError{Path: path, PID: pid, control: control}
	}
	return nil
}

// lockHolder returns the process that a lock file names, if it holds the lock. It does not
// try the lock: a daemon that starts at this instant would be refused its own.
func lockHolder(path string) (pid int, ok bool) {
	if !ours(path) {
		return 0, false
	}
	var st unix.Stat_t
	text, err1 := files.Reader{Max: 20, NoLink: true}.Read(path)
	locks, err2 := files.Reader{Max: 1 << 20}.Read("/proc/locks")
	if errors.Join(err1, err2, unix.Lstat(path, &st)) != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 0 {
		return 0, false
	}
	return pid, holds(string(locks), pid, st.Ino)
}

// holds reports whether a process holds the lock of a file, by the kernel's list of locks
// (proc(5)). The list names the file system's own device, which need not be the file's.
func holds(locks string, pid int, inode uint64) bool {
	for line := range strings.Lines(locks) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || f[3] != "WRITE" || f[4] != strconv.Itoa(pid) {
			continue
		}
		if strings.HasSuffix(f[5], ":"+strconv.FormatUint(inode, 10)) {
			return true
		}
	}
	return false
}

// pageWriter returns the process that writes the page of a control socket's daemon.
func pageWriter(control string) (pid int, ok bool) {
	path := telemetry.PagePath(control)
	if !ours(path) {
		return 0, false
	}
	p, err := telemetry.OpenPage(path)
	if err != nil {
		return 0, false
	}
	defer p.Close()
	alive, err := p.Written()
	return p.Run().PID, alive && err == nil
}

// ours reports whether a file belongs to somebody whom the client believes.
func ours(path string) bool {
	var st unix.Stat_t
	err := unix.Lstat(path, &st)
	return err == nil && trusts(st.Uid) && st.Mode&unix.S_IFMT == unix.S_IFREG
}

// How long a client waits until a stop by signal shows in the page: some periods.
const (
	signalShows = 200 * time.Millisecond
	signalLook  = 5 * time.Millisecond
)

// stop sends the daemon the signal of the emergency stop and waits until the page shows
// the stop. It sends none to a process that does not hold the lock: the number may be
// another's by then.
func (e *UnreachableError) stop(ctx context.Context) (Answer, error) {
	if !e.locked {
		return Answer{}, errors.New("nothing proves that this number is the daemon's, so no signal was sent")
	}
	fd, err := unix.PidfdOpen(e.PID, 0)
	if err != nil {
		return Answer{}, fmt.Errorf("process %d: %w", e.PID, err)
	}
	defer unix.Close(fd)
	if pid, ok := lockHolder(e.control + lockSuffix); !ok || pid != e.PID { // it ended, and another may have its number
		return Answer{}, fmt.Errorf("process %d has ended meanwhile", e.PID)
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGUSR1, nil, 0); err != nil {
		return Answer{}, fmt.Errorf("SIGUSR1 to process %d: %w: sudo kill -USR1 %d", e.PID, err, e.PID)
	}
	ctx, cancel := context.WithTimeout(ctx, signalShows)
	defer cancel()
	for !e.stopped() {
		if !pause(ctx, signalLook) {
			return Answer{}, fmt.Errorf("SIGUSR1 was sent to process %d, and no stop shows in its page yet: if the car drives on, switch the HAT off", e.PID)
		}
	}
	return Answer{OK: true, Note: fmt.Sprintf("stopped by SIGUSR1 to process %d, whose socket at %s is gone; clear with fieldbrain reset, then fieldbrain arm", e.PID, e.Path)}, nil
}

// stopped reports whether the daemon's page shows an emergency stop.
func (e *UnreachableError) stopped() bool {
	p, err := telemetry.OpenPage(telemetry.PagePath(e.control))
	if err != nil {
		return false
	}
	defer p.Close()
	newest, err := p.Newest()
	return err == nil && p.Run().PID == e.PID && safety.Causes(newest.Tick.Causes).Has(safety.EStop)
}
