package service

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// TestSignalBeforeTheStart: a signal that comes while the service is built ends it in order
// before it has ticked for long, and no file stays half made.
func TestSignalBeforeTheStart(t *testing.T) {
	folder := t.TempDir()
	log, err := daemon.NewLog(io.Discard, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	control, err := daemon.Listen(filepath.Join(folder, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.Engine.Kind = "purego"
	settings.Loop.Priority, settings.Loop.LockMemory = 0, false
	settings.Telemetry.Length = config.Duration(time.Second)
	s, err := New(Options{Settings: settings, Log: log, Control: control, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-s.signals.ctx.Done() // it was not killed
	if err := s.Serve(Session{}); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}
