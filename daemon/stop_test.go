package daemon_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
)

// serveStops runs a stop socket until the test ends; stop answers.
func serveStops(t testing.TB, c *daemon.Control, s daemon.Stopper) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.ServeStops(ctx, s) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("ServeStops() = %v", err)
		}
	})
}

// counted returns a Stopper that counts, and what it counts.
func counted() (s daemon.Stopper, now, stops *atomic.Int64) {
	now, stops = new(atomic.Int64), new(atomic.Int64)
	return daemon.Stopper{
		Now:  func() { now.Add(1) },
		Stop: func(context.Context) daemon.Answer { stops.Add(1); return daemon.Answer{OK: true} },
	}, now, stops
}

// TestStopSocket: to connect is to stop, with and without a word; who asks hears
// that the car stands.
func TestStopSocket(t *testing.T) {
	c := serve(t, echo)
	s, now, _ := counted()
	serveStops(t, c, s)
	path := daemon.StopSocket(c.Path())
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v; want mode 660", info.Mode(), err)
	}
	for i, words := range []string{"", "anything\n", strings.Repeat("x", 100_000)} {
		conn := dial(t, path)
		_, _ = conn.Write([]byte(words)) // nobody reads it
		line, err := bufio.NewReader(conn).ReadString('\n')
		if len(words) < 100 && (err != nil || line != `{"ok":true}`+"\n") {
			t.Errorf("heard %q, %v", line, err)
		}
		if got := now.Load(); got != int64(i+1) {
			t.Errorf("%d stops after %d connections", got, i+1)
		}
	}
	got, err := daemon.Stop(t.Context(), c.Path())
	if err != nil || !got.OK || now.Load() != 4 {
		t.Errorf("Stop() = %+v, %v after %d stops", got, err, now.Load())
	}
}

// TestStopSocketHasNoCap: hundreds may wait for one stop that takes its time, and
// each is answered.
func TestStopSocketHasNoCap(t *testing.T) {
	c := serve(t, echo)
	s, now, stops := counted()
	hold := make(chan struct{})
	s.Stop = func(context.Context) daemon.Answer { stops.Add(1); <-hold; return daemon.Answer{OK: true} }
	serveStops(t, c, s)
	const many = 300
	var conns []net.Conn
	for range many {
		conns = append(conns, dial(t, daemon.StopSocket(c.Path())))
	}
	for now.Load() < many {
		time.Sleep(time.Millisecond)
	}
	close(hold)
	for i, conn := range conns {
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, `"ok":true`) {
			t.Fatalf("connection %d heard %q, %v", i, line, err)
		}
	}
	if got := stops.Load(); got > 3 {
		t.Errorf("%d stops for %d who waited together, want one or two", got, many)
	}
}

// TestStopWithoutDescriptors: a process without a descriptor left is not stopped for
// that, and a client that it cannot answer stops the car all the same.
func TestStopWithoutDescriptors(t *testing.T) {
	c := serve(t, echo)
	s, now, _ := counted()
	path := daemon.StopSocket(c.Path())
	late, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0) // the client's, while there is one
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(late)
	restore := exhaust(t)
	serveStops(t, c, s)
	time.Sleep(20 * time.Millisecond) // it waits by now; where it does not yet, the test asks for less
	if got := now.Load(); got != 0 {
		t.Errorf("%d stops that nobody asked for", got)
	}
	err = unix.Connect(late, &unix.SockaddrUnix{Name: path})
	for end := time.Now().Add(20 * time.Second); now.Load() == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	restore()
	if got := now.Load(); err != nil || got == 0 {
		t.Errorf("%d stops for a client that came (%v)", got, err)
	}
}

// exhaust leaves this process no descriptor, until the returned function or the test's
// end gives them back.
func exhaust(t *testing.T) (restore func()) {
	t.Helper()
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	small := before
	small.Cur = 3 // the numbers in use stay open; poll wants to be let look at one
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &small); err != nil {
		t.Fatal(err)
	}
	restore = sync.OnceFunc(func() {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(restore)
	return restore
}

// TestStopTakesTheOtherWay: where the stop socket is missing, as with an older
// daemon, or does not answer, the control socket carries the stop.
func TestStopTakesTheOtherWay(t *testing.T) {
	c := serve(t, func(_ context.Context, r daemon.Request) daemon.Answer {
		return daemon.Answer{OK: r.Command == "estop"}
	})
	got, err := daemon.Stop(t.Context(), c.Path()) // nobody serves the stop socket
	if err != nil || !got.OK {
		t.Errorf("nobody takes from the stop socket: %+v, %v", got, err)
	}
	if err := os.Remove(daemon.StopSocket(c.Path())); err != nil {
		t.Fatal(err)
	}
	if got, err = daemon.Stop(t.Context(), c.Path()); err != nil || !got.OK {
		t.Errorf("no stop socket: %+v, %v", got, err)
	}
	if _, err := daemon.Stop(t.Context(), filepath.Join(t.TempDir(), "none.sock")); !errors.Is(err, daemon.ErrNoDaemon) {
		t.Errorf("no daemon: %v, want ErrNoDaemon", err)
	}
	if err := os.WriteFile(daemon.StopSocket(c.Path()), nil, 0o600); err != nil { // Close removes it
		t.Fatal(err)
	}
}

// TestStopIsReadBeforeTheDoor: a stop that was sent, and that nobody has read when
// its connection has to make room, is carried out all the same.
func TestStopIsReadBeforeTheDoor(t *testing.T) {
	entered, release := make(chan struct{}, 50), make(chan struct{})
	var stops atomic.Int64
	c := serve(t, func(ctx context.Context, r daemon.Request) daemon.Answer {
		if r.Command == "estop" {
			stops.Add(1)
			return daemon.Answer{OK: true}
		}
		entered <- struct{}{}
		select {
		case <-release:
		case <-ctx.Done():
		}
		return daemon.Answer{Error: "put off"}
	})
	busy := dial(t, c.Path()) // its first request keeps the daemon from reading the second
	fmt.Fprintln(busy, `{"command":"arm"}`)
	<-entered
	fmt.Fprintln(busy, `{"command":"estop"}`)
	for range 16 {
		dial(t, c.Path())
	}
	answers := bufio.NewReader(busy)
	first, err := answers.ReadString('\n')
	if err != nil || !strings.Contains(first, "put off") {
		t.Errorf("first %q, %v", first, err)
	}
	second, err := answers.ReadString('\n')
	if err != nil || !strings.Contains(second, `"ok":true`) || stops.Load() != 1 {
		t.Errorf("the stop heard %q, %v; %d were carried out", second, err, stops.Load())
	}
	close(release)
}

// TestSeveralOnALine: each request on a line has its answer; a mistake refuses
// itself and what follows.
func TestSeveralOnALine(t *testing.T) {
	c := serve(t, func(_ context.Context, r daemon.Request) daemon.Answer {
		return daemon.Answer{Error: "heard " + r.Command}
	})
	for _, k := range []struct {
		line string
		want []string
	}{
		{`{"command":"arm"}{"command":"estop"}`, []string{"heard arm", "heard estop"}},
		{`{"command":"estop"} {"command":"arm"}  {"command":"reset"}`, []string{"heard estop", "heard arm", "heard reset"}},
		{`{"command":"estop"}rubbish{"command":"arm"}`, []string{"heard estop", "not a request"}},
		{strings.Repeat(`{}`, 17), append(strings.Split(strings.Repeat("heard ,", 16), ",")[:16], "more than 16")},
	} {
		conn := dial(t, c.Path())
		fmt.Fprintln(conn, k.line)
		if err := conn.(*net.UnixConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			got = append(got, lines.Text())
		}
		if len(got) != len(k.want) {
			t.Errorf("%s: answers %q, want %q", k.line, got, k.want)
			continue
		}
		for i, want := range k.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: answer %d is %s, want %s", k.line, i, got[i], want)
			}
		}
	}
}

// TestCallComesAgain: a daemon that is full or hangs up is asked again; an order
// that may have been carried out is not given twice.
func TestCallComesAgain(t *testing.T) {
	for _, k := range []struct {
		command, first string
		again          bool
	}{
		{"arm", `{"ok":false,"error":"the daemon is busy","busy":true}` + "\n", true},
		{"outcome", `{"ok":false,"error":"the daemon is busy","busy":true}` + "\n", true},
		{"status", "", true},
		{"estop", "", true},
		{"arm", "", false},
		{"outcome", "", false},
	} {
		t.Run(k.command+k.first, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "control.sock")
			l, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				for i := 0; ; i++ {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					_, _ = bufio.NewReader(conn).ReadString('\n')
					if i == 0 {
						fmt.Fprint(conn, k.first)
					} else {
						fmt.Fprintln(conn, `{"ok":true}`)
					}
					conn.Close()
				}
			}()
			got, err := daemon.Call(t.Context(), path, daemon.Request{Command: k.command})
			if again := err == nil && got.OK; again != k.again {
				t.Errorf("%+v, %v; asked again: %v, want %v", got, err, again, k.again)
			}
		})
	}
}

// TestImpostors: a socket in a folder that others may write to, or of another
// user, is not believed.
func TestImpostors(t *testing.T) {
	c := serve(t, echo)
	folder := filepath.Dir(c.Path())
	chmod := func(mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
	}
	ask := func() error {
		_, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"})
		return err
	}
	chmod(0o777)
	if err := ask(); err == nil || !strings.Contains(err.Error(), "chmod o-w") {
		t.Errorf("a folder for everybody: %v", err)
	}
	chmod(0o777 | os.ModeSticky)
	if err := ask(); err != nil {
		t.Errorf("a folder as /tmp is: %v", err)
	}
	chmod(0o755)
	if os.Getuid() != 0 {
		t.Log("only root can give a folder away: the rest is left out")
		return
	}
	if err := os.Chown(folder, 4242, -1); err != nil {
		t.Fatal(err)
	}
	var impostor *daemon.ImpostorError
	if err := ask(); !errors.As(err, &impostor) || impostor.UID != 4242 {
		t.Errorf("a folder of somebody else: %v", err)
	}
	if _, err := daemon.Stop(t.Context(), c.Path()); !errors.As(err, &impostor) {
		t.Errorf("a stop there: %v", err)
	}
}

// TestImpostorProcess: the kernel's word on who listens counts.
func TestImpostorProcess(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can listen as somebody else")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "control.sock")
	done := make(chan error, 1)
	go func() { // a thread of its own, which ends with its identity
		done <- listenAs(path, 4242)
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	_, err := daemon.Call(t.Context(), path, daemon.Request{Command: "status"})
	var impostor *daemon.ImpostorError
	if !errors.As(err, &impostor) || impostor.UID != 4242 {
		t.Errorf("a process of somebody else: %v", err)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, with umlauts äö\n\tand tabs": "plain, with umlauts äö\n\tand tabs",
		"\x1b[2Jgone\r":                      `\u001b[2Jgone\u000d`,
		"a\x00b\x7f":                         `a\u0000b\u007f`,
		"right\u202eto left":                 `right\u202eto left`,
		"c1 \u009b31m":                       `c1 \u009b31m`,
		"not UTF-8 \xff":                     `not UTF-8 \ufffd`,
	} {
		if got := daemon.Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// listenAs listens on a socket as another user, for as long as the test runs. The
// thread that takes the other identity ends with its goroutine.
func listenAs(path string, uid int) error {
	runtime.LockOSThread()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
		return errno
	}
	return unix.Listen(fd, 1)
}
