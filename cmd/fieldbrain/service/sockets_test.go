package service

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// TestSocketsComeBack: the daemon says once that somebody removed its sockets, and keeps
// visible, with a remedy, what it cannot make anew.
func TestSocketsComeBack(t *testing.T) {
	var out bytes.Buffer
	log, err := daemon.NewLog(&out, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	control, err := daemon.Listen(filepath.Join(t.TempDir(), "c.sock"))
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{log: log, control: control, conditions: loop.NewConditions(time.Now, log.Change)}
	path := control.Path()
	s.noteSockets()
	if err := errors.Join(os.Remove(path), os.Remove(daemon.StopSocket(path))); err != nil {
		t.Fatal(err)
	}
	s.noteSockets()
	s.noteSockets()
	if got := s.conditions.List(); len(got) != 0 {
		t.Errorf("mended, and still degraded: %v", got)
	}
	if err := errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.noteSockets()
	got := s.conditions.List()
	if len(got) != 1 || got[0].Name != "socket" || !strings.Contains(got[0].Cause, "not a socket") || !strings.Contains(got[0].Remedy, "kill -USR1") {
		t.Errorf("a file stands in the socket's place: %+v", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.noteSockets()
	if got := s.conditions.List(); len(got) != 0 {
		t.Errorf("mended, and still degraded: %v", got)
	}
	if err := errors.Join(control.Close(), log.Close()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "made anew"); n != 2 {
		t.Errorf("said %d times of 2 that the sockets are made anew:\n%s", n, out.String())
	}
}

// TestLostPage: a page that somebody removed is a condition with a remedy.
func TestLostPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.page")
	w, err := telemetry.New(telemetry.Options{Page: path, Identity: telemetry.Identity{Period: 5 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{telemetry: &telemetryWriter{w: w}, conditions: loop.NewConditions(time.Now, func(loop.Condition, bool) {})}
	s.noteLost()
	if got := s.conditions.List(); len(got) != 0 {
		t.Errorf("nothing is lost: %+v", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.noteLost()
	got := s.conditions.List()
	if len(got) != 1 || got[0].Name != "telemetry-files" || !strings.Contains(got[0].Cause, path) || got[0].Remedy == "" {
		t.Errorf("the page is gone: %+v", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
