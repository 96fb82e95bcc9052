package daemon_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// remove removes files.
func remove(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRenew: a daemon whose files somebody has removed, or replaced, makes them anew, and
// serves the new ones.
func TestRenew(t *testing.T) {
	c := serve(t, echo)
	s, now, _ := counted()
	serveStops(t, c, s)
	lock, stop := c.Path()+".lock", daemon.StopSocket(c.Path())
	renew := func(want ...string) {
		t.Helper()
		if made, err := c.Renew(); err != nil || !slices.Equal(made, want) {
			t.Errorf("Renew() = %q, %v; want %q", made, err, want)
		}
	}
	renew()
	for i := range 3 {
		remove(t, c.Path(), stop, lock)
		renew("lock file", "control socket", "stop socket")
		renew()
		for _, path := range []string{c.Path(), stop} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
				t.Errorf("%s: %v, %v; want mode 660", path, info, err)
			}
		}
		if got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"}); err != nil || !got.OK {
			t.Errorf("status: %+v, %v", got, err)
		}
		if got, err := daemon.StopAt(t.Context(), stop); err != nil || !got.OK || now.Load() != int64(i+1) {
			t.Errorf("stop: %+v, %v; %d stops", got, err, now.Load())
		}
		if _, err := daemon.Listen(c.Path()); !errors.Is(err, daemon.ErrRunning) {
			t.Errorf("second daemon: %v, want ErrRunning", err)
		}
	}
	remove(t, stop)
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: stop, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Renew(); !errors.Is(err, daemon.ErrRunning) {
		t.Errorf("another process listens there: %v, want ErrRunning", err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	renew("stop socket")
}

// TestRenewTouchesNothingElse: what cannot be made anew is an error that goes with its
// cause, and an ended daemon makes nothing.
func TestRenewTouchesNothingElse(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "d")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := daemon.Listen(filepath.Join(folder, "c.sock"))
	if err != nil {
		t.Fatal(err)
	}
	remove(t, c.Path(), daemon.StopSocket(c.Path()))
	if err := os.WriteFile(c.Path(), []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := c.Renew() // the way to the emergency stop all the same
	if err == nil || !strings.Contains(err.Error(), "not a socket") || !slices.Equal(made, []string{"stop socket"}) {
		t.Errorf("a file stands there: %q, %v", made, err)
	}
	if text, _ := os.ReadFile(c.Path()); string(text) != "keep" {
		t.Errorf("the file holds %q", text)
	}
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Renew(); err == nil || !strings.Contains(err.Error(), "is the folder there") {
		t.Errorf("the folder is gone: %v", err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if made, err := c.Renew(); err != nil || len(made) != 3 {
		t.Errorf("the folder is there again: %q, %v", made, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if made, err := c.Renew(); err != nil || len(made) != 0 {
		t.Errorf("after the end: %q, %v", made, err)
	}
	if _, err := daemon.Call(t.Context(), c.Path(), daemon.Request{}); !errors.Is(err, daemon.ErrNoDaemon) {
		t.Errorf("after the end: %v, want ErrNoDaemon", err)
	}
}

// TestStopWithoutSockets: a daemon whose sockets are gone is none that does not run: the
// emergency stop reaches it as a signal, and says so once the page shows it.
func TestStopWithoutSockets(t *testing.T) {
	for _, shown := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "c.sock")
		c, err := daemon.Listen(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := telemetry.New(telemetry.Options{
			Page: telemetry.PagePath(path), Ring: telemetry.RingPath(path), Length: time.Second,
			Identity: telemetry.Identity{Program: "test", Body: "sim", World: "room", Period: 5 * time.Millisecond},
		})
		if err != nil {
			t.Fatal(err)
		}
		remove(t, path, daemon.StopSocket(path))
		if found := daemon.FindSocket([]string{path, path + ".other"}); found != path {
			t.Errorf("FindSocket() = %s, want the daemon's that runs", found)
		}
		ctx, cancel := context.WithCancel(t.Context())
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGUSR1)
		var obeyed sync.WaitGroup
		obeyed.Go(func() {
			<-signals
			if !shown {
				cancel()
				return
			}
			w.Tick(&telemetry.Tick{Causes: uint32(safety.EStop)}, loop.Counts{Ticks: 1})
		})
		got, err := daemon.Stop(ctx, path)
		obeyed.Wait()
		signal.Stop(signals)
		cancel()
		var lost *daemon.UnreachableError
		switch {
		case shown && (err != nil || !got.OK || !strings.Contains(got.Note, "stopped by SIGUSR1 to process")):
			t.Errorf("%+v, %v; want that the signal stopped it", got, err)
		case !shown && (!errors.As(err, &lost) || lost.PID != os.Getpid() || errors.Is(err, daemon.ErrNoDaemon)):
			t.Errorf("%v; want an UnreachableError of this process", err)
		case !shown && (!strings.Contains(err.Error(), "kill -USR1") || !strings.Contains(err.Error(), "no stop shows in its page yet")):
			t.Errorf("%q lacks what else stops the car", err)
		}
		if err := errors.Join(w.Close(), c.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestCallWaitsForTheSocket: a request waits for a daemon that makes its socket anew.
func TestCallWaitsForTheSocket(t *testing.T) {
	c := serve(t, echo)
	remove(t, c.Path())
	var renewed sync.WaitGroup
	renewed.Go(func() {
		if _, err := c.Renew(); err != nil {
			t.Error(err)
		}
	})
	if got, err := daemon.Call(t.Context(), c.Path(), daemon.Request{Command: "status"}); err != nil || !got.OK {
		t.Errorf("%+v, %v", got, err)
	}
	renewed.Wait()
}
