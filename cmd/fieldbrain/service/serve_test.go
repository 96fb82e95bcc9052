package service_test

import (
	"io"
	"path/filepath"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// TestLengthBeginsWithDriving: the length of a session is counted from its first
// tick. A length that is over before the loop has even begun still gives one.
func TestLengthBeginsWithDriving(t *testing.T) {
	log, err := daemon.NewLog(io.Discard, "error", false, false)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	control, err := daemon.Listen(filepath.Join(t.TempDir(), "control.sock"))
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
	if err := s.Serve(service.Session{Length: time.Nanosecond}); err != nil {
		t.Log(err) // a busy machine was late to hear of the stop
	}
	if s.Latency().Counts.Ticks == 0 {
		t.Error("the session ended before its first tick")
	}
}
