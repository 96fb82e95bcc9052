package service_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/telemetry"
)

// newService returns a service, and its control socket in a folder.
func newService(t *testing.T, folder string) (*service.Service, *daemon.Control) {
	t.Helper()
	return newLogged(t, folder, io.Discard)
}

// newLogged is newService with a log.
func newLogged(t *testing.T, folder string, w io.Writer) (*service.Service, *daemon.Control) {
	t.Helper()
	log, err := daemon.NewLog(w, "warn", false, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	control, err := daemon.Listen(filepath.Join(folder, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.Loop.Priority, settings.Loop.LockMemory = 0, false
	settings.Telemetry.Length = config.Duration(time.Minute)
	s, err := service.New(service.Options{Settings: settings, Log: log, Control: control, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s, control
}

// TestLengthBeginsWithDriving: the length of a session is counted from its first
// tick. A length that is over before the loop has even begun still gives one.
func TestLengthBeginsWithDriving(t *testing.T) {
	s, _ := newService(t, t.TempDir())
	if err := s.Serve(service.Session{Length: time.Nanosecond}); err != nil {
		t.Log(err) // a busy machine was late to hear of the stop
	}
	if s.Latency().Counts.Ticks == 0 {
		t.Error("the session ended before its first tick")
	}
}

// TestFailedStartsLeaveTheFlight: starts that fail before their first tick, as where the
// page of run --web finds no port, leave page and ring of the run before: systemd tries
// five times, and what tells of a crash would be gone after two.
func TestFailedStartsLeaveTheFlight(t *testing.T) {
	folder := t.TempDir()
	socket := filepath.Join(folder, "control.sock")
	files := []string{telemetry.PagePath(socket), telemetry.RingPath(socket)}
	s, _ := newService(t, folder)
	if err := s.Serve(service.Session{Length: 20 * time.Millisecond}); err != nil {
		t.Log(err)
	}
	var flown []os.FileInfo
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		flown = append(flown, info)
	}
	for start := range 3 {
		s, control := newService(t, folder)
		if err := errors.Join(s.Close(), control.Close()); err != nil {
			t.Fatal(err)
		}
		for i, path := range files {
			if info, err := os.Stat(path); err != nil || !os.SameFile(info, flown[i]) {
				t.Errorf("after failed start %d %s is not the driven run's: %v", start, path, err)
			}
		}
	}
}

// A heard is a log's writer that knows whether a line with a text has come.
type heard struct {
	text string
	come atomic.Bool
}

func (h *heard) Write(p []byte) (int, error) {
	if strings.Contains(string(p), h.text) {
		h.come.Store(true)
	}
	return len(p), nil
}

// TestServeLogsFaults: a running service logs a cause that holds when the car has been
// brought up, for which the log waits 3 s.
func TestServeLogsFaults(t *testing.T) {
	h := &heard{text: `"fault":"e-stop"`}
	s, _ := newLogged(t, t.TempDir(), h)
	err := s.Serve(service.Session{Show: func(ctx context.Context, quit func()) error {
		remote := s.Car().Brain.Remote()
		remote.Stop()
		for !h.come.Load() && ctx.Err() == nil && remote.Status().Trace.Tick < 12000 {
			time.Sleep(time.Millisecond)
		}
		quit()
		return nil
	}})
	if err != nil {
		t.Log(err) // a busy machine was late to hear of the stop
	}
	if !h.come.Load() {
		t.Error("an emergency stop that holds is not in the log")
	}
}
