package daemon_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fieldbrain/daemon"
)

// serve runs a control socket until the test ends and returns its path.
func serve(t testing.TB, h daemon.Handler) *daemon.Control {
	t.Helper()
	return serveLease(t, nil, h)
}

// serveLease is serve with a wheel, if any.
func serveLease(t testing.TB, w *daemon.ManualLease, h daemon.Handler) *daemon.Control {
	t.Helper()
	c := listen(t)
	if w != nil {
		c.OnManualLease(w)
	}
	begin(t, c, h)
	return c
}

// listen opens a control socket that nobody serves yet.
func listen(t testing.TB) *daemon.Control {
	t.Helper()
	c, err := daemon.Listen(filepath.Join(t.TempDir(), "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// begin serves a control socket until the test ends.
func begin(t testing.TB, c *daemon.Control, h daemon.Handler) {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Serve(ctx, h) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, c.Close()); err != nil {
			t.Errorf("Serve() = %v", err)
		}
		goleak.VerifyNone(t, leaks)
	})
}

func echo(_ context.Context, r daemon.Request) daemon.Answer {
	if r.Command == "status" {
		return daemon.Answer{OK: true, Status: &daemon.Status{Version: "test", Armed: true}}
	}
	return daemon.Answer{Error: "refused: " + r.Command}
}

func TestCall(t *testing.T) {
	c := serve(t, echo)
	got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"})
	if err != nil {
		t.Fatal(err)
	}
	want := daemon.Answer{OK: true, Status: &daemon.Status{Version: "test", Armed: true}}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("got -, want +:\n%s", d)
	}
	got, err = daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "arm"})
	if err != nil || got.OK || got.Error != "refused: arm" {
		t.Errorf("Call(arm) = %+v, %v", got, err)
	}
}

func TestSocketModeAndOwner(t *testing.T) {
	c := serve(t, echo)
	info, err := os.Stat(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o660 {
		t.Errorf("mode %o, want 660", got)
	}
	_, err = daemon.Listen(c.Path())
	if !errors.Is(err, daemon.ErrRunning) {
		t.Errorf("second daemon: %v, want ErrRunning", err)
	}
	if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("%q does not name the process that runs", err)
	}
}

func TestListenSweepsStaleSocketsOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "control.sock")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false) // as after kill -9
	stale.Close()
	if _, err := daemon.Call(t.Context(), path, daemon.Request{}); !errors.Is(err, daemon.ErrNoDaemon) {
		t.Errorf("Call on a stale socket: %v, want ErrNoDaemon", err)
	}
	c, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := errors.Join(c.Serve(ctx, echo), c.Close()); err != nil {
		t.Fatal(err)
	}
	precious := filepath.Join(t.TempDir(), "control.sock")
	if err := os.WriteFile(precious, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.Listen(precious); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Errorf("Listen on a file: %v", err)
	}
	if text, _ := os.ReadFile(precious); string(text) != "keep" {
		t.Error("the file was harmed")
	}
}

// TestLostLock: a daemon whose lock file somebody has removed keeps its sockets, and nobody
// stops its car to find that out.
func TestLostLock(t *testing.T) {
	c := serve(t, echo)
	s, stops, _ := counted()
	serveStops(t, c, s)
	if err := os.Remove(c.Path() + ".lock"); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.Listen(c.Path()); !errors.Is(err, daemon.ErrRunning) || !strings.Contains(err.Error(), "has removed its lock file") {
		t.Errorf("second daemon: %v, want ErrRunning with the reason", err)
	}
	if got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"}); err != nil || !got.OK {
		t.Errorf("the first one: %+v, %v", got, err)
	}
	if err := os.Remove(c.Path()); err != nil { // the way to the emergency stop is left
		t.Fatal(err)
	}
	if _, err := daemon.Listen(c.Path()); !errors.Is(err, daemon.ErrRunning) {
		t.Errorf("beside a stop socket: %v, want ErrRunning", err)
	}
	if n := stops.Load(); n != 0 {
		t.Errorf("the car was stopped %d times", n)
	}
}

// TestEndKeepsSuccessor: a daemon whose files somebody has removed ends without its
// successor's.
func TestEndKeepsSuccessor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "control.sock")
	first, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + ".lock", daemon.StopSocket(path)} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	second, err := daemon.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := errors.Join(first.Serve(ctx, echo), first.Close()); err != nil {
		t.Errorf("the first one ends: %v", err)
	}
	for _, name := range []string{path, daemon.StopSocket(path)} {
		if _, err := os.Lstat(name); err != nil {
			t.Error(err)
		}
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v; want the lock alone", left, err)
	}
}

func TestCallWithoutDaemon(t *testing.T) {
	_, err := daemon.Call(t.Context(), filepath.Join(t.TempDir(), "none.sock"), daemon.Request{})
	if !errors.Is(err, daemon.ErrNoDaemon) {
		t.Errorf("%v, want ErrNoDaemon", err)
	}
	folder := t.TempDir()
	_, err = daemon.Call(t.Context(), folder, daemon.Request{})
	if !errors.Is(err, daemon.ErrNoDaemon) || !strings.Contains(err.Error(), folder+", which is a folder and no socket") {
		t.Errorf("a folder: %v, want that it is no socket", err)
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = daemon.Call(t.Context(), file, daemon.Request{})
	if !errors.Is(err, daemon.ErrNoDaemon) || !strings.Contains(err.Error(), "a file and no socket") {
		t.Errorf("a file: %v, want that it is no socket", err)
	}
}

// TestCallOfASilentDaemon: who listens and says nothing is no daemon that is absent, and
// the error says what to do.
func TestCallOfASilentDaemon(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = daemon.Call(ctx, path, daemon.Request{Command: "status"})
	if !errors.Is(err, daemon.ErrSilent) || errors.Is(err, daemon.ErrNoDaemon) || !strings.Contains(err.Error(), "kill -CONT") {
		t.Errorf("a daemon that says nothing: %v", err)
	}
}

func TestHostileClients(t *testing.T) {
	c := serve(t, echo)
	for _, r := range []struct{ name, why, send, want string }{
		{"no JSON", "said, not crashed", "hello\n", "not a request"},
		{"unknown field", "a misspelt order must not become another", `{"comand":"arm"}` + "\n", "unknown field"},
		{"deep nesting", "depth is the decoder's to bound", strings.Repeat("[", 2000) + "\n", "not a request"},
		{"too long", "a line is bounded", strings.Repeat("x", 5000) + "\n", "longer than 4096 bytes"},
		{"several", "one connection may ask again", "{}\n{\"command\":\"status\"}\n", "refused"},
	} {
		t.Run(r.name, func(t *testing.T) {
			conn := dial(t, c.Path())
			if _, err := conn.Write([]byte(r.send)); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil || !strings.Contains(line, r.want) || !strings.Contains(line, `"ok":false`) {
				t.Errorf("answer %q (%v), want %q: %s", line, err, r.want, r.why)
			}
		})
	}
}

// TestCrowd: no number of connections keeps an order out. The oldest makes room
// and hears the reason; those that are newer stay.
func TestCrowd(t *testing.T) {
	c := serve(t, echo)
	var held []net.Conn
	for range 16 {
		conn := dial(t, c.Path())
		fmt.Fprintln(conn, `{"command":"arm"}`)
		if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "estop"})
	if err != nil || got.Error != "refused: estop" {
		t.Errorf("the emergency stop of the seventeenth: %+v, %v; want it handled", got, err)
	}
	line, err := bufio.NewReader(held[0]).ReadString('\n')
	if err != nil || !strings.Contains(line, "busy") {
		t.Errorf("the oldest heard %q, %v; want that the daemon is busy", line, err)
	}
	fmt.Fprintln(held[15], `{"command":"arm"}`)
	if line, err := bufio.NewReader(held[15]).ReadString('\n'); err != nil || !strings.Contains(line, "refused: arm") {
		t.Errorf("the newest heard %q, %v; want its answer", line, err)
	}
	if got := c.Refused(); got != 1 {
		t.Errorf("%d had to leave, want 1", got)
	}
}

// TestCrowdSparesStops: the crowd ends a request that hangs with its connection,
// but never an emergency stop under way.
func TestCrowdSparesStops(t *testing.T) {
	release, entered := make(chan struct{}), make(chan string, 20)
	c := serve(t, func(ctx context.Context, r daemon.Request) daemon.Answer {
		entered <- r.Command
		if r.Command == "estop" {
			<-release
			return daemon.Answer{OK: true}
		}
		<-ctx.Done()
		return daemon.Answer{}
	})
	stop := dial(t, c.Path())
	fmt.Fprintln(stop, `{"command":"estop"}`)
	<-entered
	hung := dial(t, c.Path())
	fmt.Fprintln(hung, `{"command":"arm"}`)
	<-entered
	for range 15 {
		dial(t, c.Path())
	}
	line, err := bufio.NewReader(hung).ReadString('\n')
	if err != nil || !strings.Contains(line, `"ok":false`) {
		t.Errorf("the oldest that is no stop heard %q, %v; want its end", line, err)
	}
	close(release)
	line, err = bufio.NewReader(stop).ReadString('\n')
	if err != nil || !strings.Contains(line, `"ok":true`) {
		t.Errorf("the emergency stop heard %q, %v; want that it was carried out", line, err)
	}
}

func TestHandlerPanics(t *testing.T) {
	c := serve(t, func(_ context.Context, r daemon.Request) daemon.Answer {
		if r.Command == "arm" {
			panic("defect")
		}
		return daemon.Answer{OK: true}
	})
	got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "arm"})
	if err != nil || got.OK || !strings.Contains(got.Error, "defect") {
		t.Errorf("a defect in a request: %+v, %v; want it said", got, err)
	}
	if got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "estop"}); err != nil || !got.OK {
		t.Errorf("the stop after it: %+v, %v; want it carried out", got, err)
	}
}

func dial(t testing.TB, path string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestSockets(t *testing.T) {
	env := map[string]string{"RUNTIME_DIRECTORY": "/run/x", "XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": ""}
	got := daemon.Sockets(func(k string) string { return env[k] }, 7)
	want := []string{
		"/run/x/control.sock", "/run/fieldbrain/control.sock", "/run/user/7/fieldbrain/control.sock",
		filepath.Join(os.TempDir(), "fieldbrain-7", "control.sock"),
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("got -, want +:\n%s", d)
	}
	if got := daemon.FindSocket(want); got == "" {
		t.Error("FindSocket found no path at all")
	}
}

func TestPlaceSocket(t *testing.T) {
	dir := t.TempDir()
	private := filepath.Join(dir, "own", "control.sock")
	got, err := daemon.PlaceSocket([]string{filepath.Join(dir, "missing", "control.sock"), private})
	if err != nil || got != private {
		t.Errorf("PlaceSocket = %q, %v, want the private one", got, err)
	}
	if _, err := daemon.PlaceSocket([]string{filepath.Join(dir, "missing", "own", "control.sock")}); err == nil || !strings.Contains(err.Error(), "--socket or control.socket") {
		t.Errorf("no folder can be made: %v", err)
	}
	if err := os.Chmod(filepath.Dir(private), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.PlaceSocket([]string{private}); err == nil {
		t.Error("a folder that everyone may write to was accepted")
	}
}
