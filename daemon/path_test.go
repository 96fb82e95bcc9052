package daemon_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
)

// TestPathOfNoSocket: a path at which no daemon's socket can be is refused with the reason,
// by orders and stops alike, at once.
func TestPathOfNoSocket(t *testing.T) {
	for path, want := range map[string]string{
		"/tmp/" + strings.Repeat("x", 118): "the path has 123 bytes, with the stop's socket beside it one can have 102",
		"@abstract":                        "is no file's",
	} {
		_, asked := daemon.Call(t.Context(), path, daemon.Request{Command: "status"})
		_, stopped := daemon.Stop(t.Context(), path)
		for _, err := range []error{asked, stopped} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		}
	}
}

// TestFullQueue: a socket whose queue nobody takes from is one of a daemon that is stopped,
// and the error says so.
func TestFullQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.sock")
	listener, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(listener)
	if err := errors.Join(unix.Bind(listener, &unix.SockaddrUnix{Name: path}), unix.Listen(listener, 0)); err != nil {
		t.Fatal(err)
	}
	for full := false; !full; {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		full = errors.Is(unix.Connect(fd, &unix.SockaddrUnix{Name: path}), unix.EAGAIN)
	}
	if _, err := daemon.Attempt(t.Context(), path); !errors.Is(err, daemon.ErrSilent) || !strings.Contains(err.Error(), "kill -CONT") {
		t.Errorf("%v, want ErrSilent", err)
	}
}
