package daemon_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// setBack writes a tick and a pair of clocks of before the wall's was set back by an hour.
func setBack(w *telemetry.Writer) {
	tick := telemetry.Tick{End: int64(time.Second)}
	w.Tick(&tick, loop.Counts{Ticks: 1})
	car := telemetry.Nothing()
	car.Wall, car.Mono = time.Now().Add(time.Hour).UnixNano(), int64(time.Second)
	w.Car(&car)
}

// TestPageOfTheFuture: a newest tick in the future says nothing about a daemon's health, and
// no time is said that has not passed.
func TestPageOfTheFuture(t *testing.T) {
	s := dying(t, setBack)
	if !s.Page.Alive || s.Page.Ticks() {
		t.Errorf("%+v", s.Page)
	}
	if line := s.Page.Line(time.Now()); !strings.Contains(line, "lies in the future") || strings.Contains(line, "ago") {
		t.Error(line)
	}
	ended := daemon.PageStatus{Last: time.Now().Add(time.Hour)}
	if line := ended.Line(time.Now()); !strings.HasPrefix(line, "DEAD since") || strings.Contains(line, "ago") {
		t.Error(line)
	}
}

// TestUp: a status says for how long the daemon has run where that is known, whatever the
// wall's clock says.
func TestUp(t *testing.T) {
	for _, c := range []struct {
		up   float64
		want string
	}{{90, "process 7, up 1m30s\n"}, {0, "process 7\n"}} {
		var text strings.Builder
		if err := (daemon.Status{PID: 7, Since: time.Now().Add(time.Hour), Up: c.up}).Print(&text); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), c.want) {
			t.Errorf("up %v: %q, want %q", c.up, text.String(), c.want)
		}
	}
}
