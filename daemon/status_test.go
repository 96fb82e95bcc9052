package daemon_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

func TestStatusPrint(t *testing.T) {
	s := daemon.Status{
		Version: "v1", PID: 12, Since: time.Now(), Body: "sim", Engine: "avx2", Rung: "full",
		Armed: true, Failsafe: "LIMITED", Causes: []string{"range stale"}, Tripped: []string{"overrun", "paused"}, Speed: 0.2, Link: "up", Steering: 0.5,
		Hindrance:  &daemon.Hindrance{What: "slow: range stale", Remedy: "look at the sonar"},
		Conditions: []loop.Condition{{Name: "realtime", Value: "ordinary", Cause: "limit", Remedy: "raise it"}},
		LogDropped: 3, Driver: daemon.DriverStatus{Hand: "person", Source: "pad", Throttle: 0.5},
	}
	var out bytes.Buffer
	if err := s.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ARMED", "LIMITED", "range stale", "+0.20 m/s", "+29 deg", "no echo", "battery unknown",
		"slow: range stale", "remedy: look at the sonar", "degraded: realtime", "remedy: raise it", "dropped 3", "ticks 0", "driven by pad  throttle +0.50",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
}
