package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A socketFile is the name of a socket in the file system, and the file that the name meant
// when the socket got it.
type socketFile struct {
	path string
	file os.FileInfo // nil where nobody has looked
}

// take notes what a socket's name means. The socket has just been bound.
func take(path string) (socketFile, error) {
	info, err := os.Lstat(path)
	return socketFile{path, info}, err
}

// leave removes the name while it still means the socket, which must be open: as long as
// it is no other file has its number. Another daemon's socket stays.
func (s socketFile) leave() error {
	mine, err := s.mine()
	if err != nil || !mine {
		return err
	}
	return os.Remove(s.path)
}

// mine reports whether the name means the socket, which must be open. A name that is gone
// means nobody's.
func (s socketFile) mine() (bool, error) {
	info, err := os.Lstat(s.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return s.file != nil && os.SameFile(info, s.file), nil
}

// Patience with a process that is dying: its lock goes before its sockets do.
const (
	dyingLooks = 20
	dyingPause = 10 * time.Millisecond
)

// sweep removes a socket that nobody has open; it touches nothing else. Where somebody
// has, although nobody holds the lock, the error wraps ErrRunning.
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
	for range dyingLooks {
		held, err := occupied(path)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fmt.Errorf("%w: the socket is another user's: sudo rm %s once no daemon of that user runs", err, path)
		case err != nil:
			return err
		case !held:
			return os.Remove(path)
		}
		time.Sleep(dyingPause)
	}
	return fmt.Errorf("%w there, and somebody has removed its lock file; stop it first, or choose another control.socket", ErrRunning)
}

// occupied reports whether a process has a socket open, without connecting to it: to
// connect to the emergency stop's is to stop the car. The kernel looks for the socket
// first and says then that a datagram cannot go to a stream (unix(7): EPROTOTYPE).
func occupied(path string) (bool, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false, os.NewSyscallError("socket", err)
	}
	defer unix.Close(fd)
	switch err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); {
	case err == nil, errors.Is(err, unix.EPROTOTYPE):
		return true, nil
	case errors.Is(err, unix.ECONNREFUSED), errors.Is(err, unix.ENOENT):
		return false, nil
	default:
		return false, os.NewSyscallError("connect", err)
	}
}
