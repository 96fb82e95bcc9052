package loadbench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Asked is what a client got.
type Asked struct {
	Answers int           `json:"answers"`
	Failed  int           `json:"failed"`     // hung up, or thrown out; the client comes again
	Longest time.Duration `json:"longest_ns"` // wait for an answer
}

// Ask asks a daemon for its status as fast as it answers, until ctx ends.
func Ask(ctx context.Context, socket string) (a Asked) {
	for ctx.Err() == nil {
		if err := a.session(ctx, socket); err != nil && ctx.Err() == nil {
			a.Failed++
			time.Sleep(10 * time.Millisecond)
		}
	}
	return a
}

// session asks on one connection until it breaks.
func (a *Asked) session(ctx context.Context, socket string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	conn := os.NewFile(uintptr(fd), socket)
	defer conn.Close()
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = unix.Shutdown(fd, unix.SHUT_RDWR) })
	defer stop()
	lines := bufio.NewReaderSize(conn, 1<<16)
	for ctx.Err() == nil {
		asked := time.Now()
		if _, err := conn.Write([]byte(`{"command":"status"}` + "\n")); err != nil {
			return err
		}
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return err
		}
		const good = `{"ok":true`
		if len(line) < len(good) || string(line[:len(good)]) != good {
			return fmt.Errorf("answer %.80q", line)
		}
		a.Answers++
		a.Longest = max(a.Longest, time.Since(asked))
	}
	return nil
}

// Compute keeps a processor busy until the process is killed.
func Compute() {
	var sum atomic.Uint64
	for {
		sum.Add(1)
	}
}
