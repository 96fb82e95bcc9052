package guard

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// DefaultSocket is where the guard of the service listens.
const DefaultSocket = "/run/fieldbrain-guard/guard.sock"

// Bench is the header of a guard whose line ends at a simulated HAT.
const Bench = "bench"

// patience is how long a client waits for the guard, which answers at once.
const patience = 500 * time.Millisecond

// ErrNone says that no guard listens at the socket.
var ErrNone = errors.New("no guard runs")

// ErrNoLine says that the guard has no way to the reset line: another program holds it.
var ErrNoLine = errors.New("it has no reset line")

// ErrOther says that the guard attends another daemon.
var ErrOther = errors.New("another daemon drives this car")

// Ask sends a guard a request, "status" or "halt", and returns its answer. The error
// wraps ErrNone where no guard listens, ErrNoLine where it cannot halt for want of a line.
func Ask(socket, request string) (string, error) {
	fd, err := dial(socket)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	answer, _, err := say(fd, request, nil)
	if err != nil {
		return "", err
	}
	if text, ok := strings.CutPrefix(answer, "ok"); ok {
		return strings.TrimSpace(text), nil
	}
	return "", refusal(answer)
}

// dial connects to a guard.
func dial(socket string) (int, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("guard: socket: %w", err)
	}
	limit := unix.NsecToTimeval(patience.Nanoseconds())
	err = errors.Join(
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit),
	)
	if err == nil {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: socket})
	}
	switch {
	case err == nil:
		return fd, nil
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED):
		err = ErrNone
	}
	return -1, errors.Join(fmt.Errorf("guard: %s: %w", socket, err), unix.Close(fd))
}

// say sends a request, with a line if the asker has one, and returns the answer
// with what descriptors came along.
func say(fd int, request string, line []int) (string, []int, error) {
	var rights []byte
	if len(line) > 0 {
		rights = unix.UnixRights(line...)
	}
	if err := unix.Sendmsg(fd, []byte(request), rights, nil, unix.MSG_NOSIGNAL); err != nil {
		return "", nil, fmt.Errorf("guard: ask for %s: %w", request, err)
	}
	text, control := make([]byte, 512), make([]byte, unix.CmsgSpace(2*4))
	for {
		n, oob, _, _, err := unix.Recvmsg(fd, text, control, unix.MSG_CMSG_CLOEXEC)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return "", nil, fmt.Errorf("guard: it does not answer: %w", err)
		case n == 0:
			return "", nil, errors.New("guard: it hung up")
		}
		fds, err := descriptors(control[:oob])
		return string(text[:n]), fds, err
	}
}

// descriptors returns those of a message.
func descriptors(control []byte) (fds []int, err error) {
	if len(control) == 0 {
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(control)
	for _, m := range messages {
		if err == nil {
			fds, err = unix.ParseUnixRights(&m)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("guard: what it handed over cannot be read: %w", err)
	}
	return fds, nil
}
