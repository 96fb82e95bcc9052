package service

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
)

// TestEveryStopIsLoggedOnce: a stop that the tick obeyed before its caller was answered
// is in the log, one of a car that is stopped already is not, and the first one after a
// reset is there again.
func TestEveryStopIsLoggedOnce(t *testing.T) {
	m, rig := cartest.NewMind(t, config.Default(), "room", 7, nil)
	var log bytes.Buffer
	s := &Service{
		settings: config.Default(), car: &car.Car{Mind: m}, turn: make(chan struct{}, 1),
		log: &daemon.Log{Logger: zerolog.New(&log)},
	}
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) { m.Brain.Tick(now) })
	passed := time.Duration(0)
	tick := func() {
		passed += 20 * time.Millisecond
		rig.AdvanceTo(passed)
	}
	lines := func() int { return strings.Count(log.String(), `"estop"`) }
	stop := func(by string) {
		t.Helper()
		s.stopNow()
		tick()
		if err := s.stopFor(t.Context(), by); err != nil {
			t.Errorf("stop by %s: %v", by, err)
		}
	}
	stop("the stop socket")
	stop("SIGUSR1")
	if a := s.handle(t.Context(), daemon.Request{Command: "estop"}); !a.OK || lines() != 1 {
		t.Errorf("answer %+v; the log has three stops of one car %d times, want once:\n%s", a, lines(), &log)
	}
	answer := make(chan daemon.Answer)
	go func() { answer <- s.handle(t.Context(), daemon.Request{Command: "reset"}) }()
	for done := false; !done; {
		select {
		case a := <-answer:
			if done = true; !a.OK {
				t.Errorf("reset: %+v", a)
			}
		default:
			tick()
		}
	}
	if stop("SIGUSR1"); lines() != 2 {
		t.Errorf("%d lines, want the stop after the reset as the second:\n%s", lines(), &log)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s.stop.told.Store(false)
	if err := s.stopFor(ended, "the stop socket"); err != nil && (lines() != 3 || strings.Contains(log.String(), "refused")) {
		t.Errorf("a stop while the daemon ends (%v), want a third line and no refusal:\n%s", err, &log)
	}
}
