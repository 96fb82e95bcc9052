package guard_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/guard"
)

// A rig is a guard whose line ends at this test.
type rig struct {
	t       *testing.T
	program string
	socket  string
	line    string
	levels  chan byte // as they come
	cmd     *exec.Cmd
}

// newRig starts a guard.
func newRig(t *testing.T) *rig {
	t.Helper()
	folder, err := os.MkdirTemp("", "guard")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	r := &rig{
		t: t, program: program(t), socket: filepath.Join(folder, "g.sock"), line: filepath.Join(folder, "l.sock"),
		levels: make(chan byte, 100_000),
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: r.line}), unix.Listen(fd, 4))
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		unix.Shutdown(fd, unix.SHUT_RDWR)
		<-ended // the next rig gets this descriptor's number: who still asks by it would take its guests
		unix.Close(fd)
	})
	go func() {
		defer close(ended)
		for {
			conn, _, err := unix.Accept(fd)
			if errors.Is(err, unix.EINTR) || errors.Is(err, unix.ECONNABORTED) {
				continue
			} else if err != nil {
				return
			}
			go func() {
				defer unix.Close(conn)
				for buf := make([]byte, 1); ; {
					if n, err := unix.Read(conn, buf); n <= 0 && !errors.Is(err, unix.EINTR) {
						return
					} else if n > 0 && (buf[0] == '0' || buf[0] == '1') {
						r.levels <- buf[0]
					}
				}
			}()
		}
	}()
	r.start()
	return r
}

// start starts the guard and waits for it.
func (r *rig) start() {
	r.t.Helper()
	cmd := exec.Command(r.program, "--socket", r.socket, "--simulator", r.line)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.cmd = cmd
	r.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	r.until("the guard answers", func() bool { _, err := guard.Ask(r.socket, "status"); return err == nil })
}

// until waits for something that must happen, however slow the machine is.
func (r *rig) until(what string, is func() bool) {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("not so: %s", what)
		}
	}
}

// level waits for a level of the line.
func (r *rig) level(want byte) {
	r.t.Helper()
	for end := time.After(20 * time.Second); ; {
		select {
		case got := <-r.levels:
			if got == want {
				return
			}
		case <-end:
			r.t.Fatalf("the line has not become %c", want)
		}
	}
}

// rise drives the line high until it is: on a busy machine a beat may come late, and
// the guard pulls the line at once.
func (r *rig) rise(w *guard.Ward) {
	r.t.Helper()
	var why error
	defer func() {
		if r.t.Failed() {
			r.t.Logf("the newest refusal: %v; the guard: %+v", why, w.State())
		}
	}()
	r.until("the line rises", func() bool {
		if why = w.Set(true); why != nil {
			return false
		}
		select {
		case level := <-r.levels:
			return level == '1'
		case <-time.After(50 * time.Millisecond):
			return false
		}
	})
}
