package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrNoDaemon says that nothing answers on the control socket.
var ErrNoDaemon = errors.New("no daemon is running")

// ErrSilent says that a daemon took a request and did not answer in time.
var ErrSilent = errors.New("the daemon does not answer")

// maxResponse bounds what a client reads: a status has some kilobytes.
const maxResponse = 1 << 20

// callTime is a client's patience, longer than the daemon's own deadline so
// that the daemon's reason arrives first.
const callTime = 3 * time.Second

// retryAfter is how long a client waits before it asks a busy daemon again.
const retryAfter = 5 * time.Millisecond

// Call sends one request and returns the answer. While the daemon has no room it
// tries again until its deadline, and while its socket is gone. The error wraps
// ErrNoDaemon when nobody listens at path, ErrUnreachable when a daemon runs all the same,
// ErrSilent when who listens says nothing; a refusal by the daemon is in the Answer.
func Call(ctx context.Context, path string, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	line, err := json.Marshal(r)
	if err != nil {
		return Answer{}, fmt.Errorf("daemon: encode request: %w", err)
	}
	var before error
	for {
		answer, err := attempt(ctx, path, append(line, '\n'))
		if before != nil && late(err) {
			err = before // which says more than that the time is up
		}
		before = err
		var f *failure
		again := answer.Busy || errors.As(err, &f) && (f.unsent || harmless(r))
		if !again || !pause(ctx, retryAfter) {
			return answer, err
		}
	}
}

// harmless reports whether a request may be carried out twice.
func harmless(r Request) bool {
	return r.Command == "status" || r.Command == "disarm" || r.Command == stopCommand
}

// stopPatience is how long a client waits for the answer to one attempt to stop the
// car; the daemon halts a body whose loop stands within 200 ms.
const stopPatience = 600 * time.Millisecond

// Stop stops the car of the daemon whose control socket is at path: through the
// socket for that alone, and where that fails through the control socket, in
// turns, until its deadline. A daemon whose sockets are gone gets SIGUSR1; the note then
// says so.
func Stop(ctx context.Context, path string) (Answer, error) {
	if err := checkPath(path); err != nil { // no second try makes it right
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	ways := []struct {
		path string
		line []byte
	}{
		{StopSocket(path), nil}, // who connects has said it
		{path, []byte(`{"command":"` + stopCommand + `"}` + "\n")},
	}
	var failed []error
	var unsignalled error // why the signal did not stop it
	for i := 0; ; i++ {
		way := ways[i%len(ways)]
		within, cancel := context.WithTimeout(ctx, stopPatience)
		answer, err := attempt(within, way.path, way.line)
		cancel()
		if err == nil && !answer.Busy {
			return answer, nil
		}
		failed = append(failed, err)
		if len(failed) > len(ways) {
			failed = failed[1:] // the newest of each way say enough
		}
		if i == 1 {
			var stopped bool
			if answer, stopped, unsignalled = signal(ctx, failed); stopped {
				return answer, nil
			}
		}
		var impostor *ImpostorError
		if all(failed, ErrNoDaemon) && i > 0 || errors.As(err, &impostor) ||
			i%len(ways) == 1 && !pause(ctx, retryAfter) || ctx.Err() != nil {
			return answer, remark(lastOf(failed), unsignalled)
		}
	}
}

// all reports whether every error is of one kind.
func all(errs []error, kind error) bool {
	return !slices.ContainsFunc(errs, func(err error) bool { return !errors.Is(err, kind) })
}

// signal stops the car of a daemon both of whose sockets are gone, and says why it could
// not.
func signal(ctx context.Context, failed []error) (a Answer, stopped bool, err error) {
	var lost *UnreachableError
	if !all(failed, ErrUnreachable) || !errors.As(failed[0], &lost) {
		return a, false, nil
	}
	a, err = lost.stop(ctx)
	return a, err == nil, err
}

// remark adds to an error, if any, why the signal did not stop the car.
func remark(err, unsignalled error) error {
	if err == nil || unsignalled == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", err, unsignalled)
}

// StopAt stops the car through a socket for that alone, until its deadline: a
// daemon's, or that of fieldbrain-guard.
func StopAt(ctx context.Context, socket string) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for {
		answer, err := attempt(ctx, socket, nil)
		var f *failure
		if !errors.As(err, &f) || !pause(ctx, retryAfter) {
			return answer, err
		}
	}
}

// lastOf returns the newest error that says more than that nobody listens, or that the
// time was up before anybody was asked.
func lastOf(failed []error) error {
	last := failed[len(failed)-1]
	for _, tells := range []func(error) bool{late, func(err error) bool { return !late(err) }} {
		for _, err := range failed {
			if err != nil && !errors.Is(err, ErrNoDaemon) && tells(err) {
				last = err
			}
		}
	}
	return last
}

// A failure is an attempt without an answer.
type failure struct {
	unsent bool // the daemon has not heard the request
	late   bool // the time was up before there was a connection
	err    error
}

// late reports whether the time was up before there was a connection.
func late(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.late
}

// silence says what keeps a daemon from answering.
func silence() error {
	return fmt.Errorf("%w: its process is stopped (ps says so, kill -CONT ends that), or this machine is too busy", ErrSilent)
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

// attempt sends one line, if any, to a socket and reads the answer.
func attempt(ctx context.Context, path string, line []byte) (Answer, error) {
	conn, err := dial(ctx, path)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close()
	if at, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(at); err != nil {
			return Answer{}, fmt.Errorf("daemon: control socket: %w", err)
		}
	}
	if len(line) > 0 {
		if _, err := conn.Write(line); err != nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
			return Answer{}, fmt.Errorf("daemon: send request: %w", err)
		}
	}
	scanner := bufio.NewScanner(conn) // after a hang-up, too: the daemon may have said why
	scanner.Buffer(nil, maxResponse)
	if !scanner.Scan() {
		err := scanner.Err()
		switch {
		case err == nil:
			err = errors.New("the daemon hung up: it is ending, or busy; try again")
		case errors.Is(err, os.ErrDeadlineExceeded):
			err = silence()
		}
		return Answer{}, &failure{err: fmt.Errorf("daemon: read answer: %w", err)}
	}
	var answer Answer
	if err := json.Unmarshal(scanner.Bytes(), &answer); err != nil {
		return Answer{}, fmt.Errorf("daemon: answer is not a response: %w", err)
	}
	return answer, nil
}

// dial connects to a daemon's socket and makes sure of who answers there.
func dial(ctx context.Context, path string) (*net.UnixConn, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if err := trustFolder(path); err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED):
		if lost := unreachable(path); lost != nil { // until it has made its socket anew
			return nil, &failure{unsent: true, err: lost}
		}
		return nil, absent(path)
	case errors.Is(err, fs.ErrPermission):
		return nil, Refusal(path, fmt.Errorf("daemon: control socket %s: %w", path, fs.ErrPermission))
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return nil, &failure{unsent: true, late: true, err: fmt.Errorf("daemon: control socket %s: %w", path, silence())}
	case errors.Is(err, syscall.EAGAIN): // the kernel's queue is full of clients that nobody takes
		return nil, &failure{unsent: true, err: fmt.Errorf("daemon: control socket %s: %w", path, silence())}
	case err != nil:
		return nil, &failure{unsent: true, err: fmt.Errorf("daemon: control socket: %w", err)}
	}
	if err := trustPeer(conn.(*net.UnixConn)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn.(*net.UnixConn), nil
}

// maxSocket is the longest path of a control socket: a Unix socket's is at most 107 bytes,
// and beside it stands one for the emergency stop.
const maxSocket = 107 - len(stopSuffix)

// checkPath refuses a path at which no daemon's socket can be.
func checkPath(path string) error {
	control := strings.TrimSuffix(path, stopSuffix)
	switch n := len(control); {
	case strings.HasPrefix(path, "@"):
		return fmt.Errorf("daemon: control socket %s: the name is no file's: a daemon's socket is a file, name its path with --socket", path)
	case n > maxSocket:
		return fmt.Errorf("daemon: control socket %s: the path has %d bytes, with the stop's socket beside it one can have %d: choose a shorter path", control, n, maxSocket)
	}
	return nil
}

// absent says that nobody listens at a path, and what stands there instead of a socket.
func absent(path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeSocket == 0 {
		what := "a file"
		if info.IsDir() {
			what = "a folder"
		}
		return fmt.Errorf("daemon: %w at %s, which is %s and no socket: name the daemon's with --socket", ErrNoDaemon, path, what)
	}
	return fmt.Errorf("daemon: %w at %s: start it with fieldbrain run, or name its --socket", ErrNoDaemon, path)
}

// Refusal adds the remedy to an error about a daemon's file at a path, where the error is
// that its owner's group alone may open it.
func Refusal(path string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	group := groupOf(path)
	if group == "" {
		return fmt.Errorf("%w: it is root's, as those of a daemon are that root started by hand: use sudo", err)
	}
	return fmt.Errorf("%w: join its group with sudo usermod -aG %s $USER and log in anew, or use sudo", err, group)
}

// Sockets returns where a daemon's socket may be, in order of preference: the
// unit's runtime folder, /run/fieldbrain, the user's runtime folder, a private
// folder among the temporary files.
func Sockets(getenv func(string) string, uid int) []string {
	const name = "control.sock"
	var paths []string
	if dir := getenv("RUNTIME_DIRECTORY"); dir != "" {
		paths = append(paths, filepath.Join(dir, name))
	}
	paths = append(paths, filepath.Join("/run/fieldbrain", name))
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" {
		paths = append(paths, filepath.Join(dir, "fieldbrain", name))
	}
	return append(paths, filepath.Join(os.TempDir(), "fieldbrain-"+strconv.Itoa(uid), name))
}

// FindSocket returns the first of paths at which a socket stands whose daemon runs, else
// the first whose daemon runs although its socket is gone, else the first socket, which a
// killed daemon may have left, else the last.
func FindSocket(paths []string) string {
	stands := func(p string) bool {
		info, err := os.Stat(p)
		return err == nil && info.Mode().Type() == os.ModeSocket
	}
	lives := func(p string) bool { return unreachable(p) != nil }
	for _, is := range []func(string) bool{func(p string) bool { return stands(p) && lives(p) }, lives, stands} {
		if at := slices.IndexFunc(paths, is); at >= 0 {
			return paths[at]
		}
	}
	return paths[len(paths)-1]
}

// PlaceSocket returns the first of paths whose folder this process may write
// to. The last one's folder is made if need be, for this user alone; a folder
// there that belongs to someone else is refused.
func PlaceSocket(paths []string) (string, error) {
	last := paths[len(paths)-1]
	for _, p := range paths[:len(paths)-1] {
		if unix.Access(filepath.Dir(p), unix.W_OK|unix.X_OK) == nil {
			return p, nil
		}
	}
	dir := filepath.Dir(last)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("daemon: make folder for the control socket: %w: name a socket in a folder that this user may write to, with --socket or control.socket", err)
	}
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return "", fmt.Errorf("daemon: folder for the control socket: %w", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || int(st.Uid) != os.Geteuid() || st.Mode&0o022 != 0 {
		return "", fmt.Errorf("daemon: %s is not a folder of this user alone; remove it or set control.socket", dir)
	}
	return last, nil
}

// groupOf names the group that may speak to a socket, or may be asked to; none where that
// is root's, which nobody should join.
func groupOf(path string) string {
	const service = "fieldbrain"
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return service
	}
	g, err := user.LookupGroupId(strconv.FormatUint(uint64(st.Gid), 10))
	switch {
	case err != nil:
		return service
	case g.Gid == "0":
		return ""
	}
	return g.Name
}
