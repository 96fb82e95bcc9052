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

// TestCardLines: lateness and shares are in the status where they are known, and nothing
// stands for what nobody knows.
func TestCardLines(t *testing.T) {
	g := daemon.GPUStatus{Phase: "serving", Device: "Fake 1", LateOf: 64}
	if line := g.Line(); strings.Contains(line, "late") {
		t.Errorf("%q of a card in time", line)
	}
	g.Late, g.Behind, g.StoodIn = 3, 2, 17
	if want := "card late (3 of 64)  behind 2  stood in 17"; !strings.Contains(g.Line(), want) {
		t.Errorf("%q lacks %q", g.Line(), want)
	}
	if line := g.Line(); strings.Contains(line, "(memory") || strings.Contains(line, "clock") {
		t.Errorf("%q of gauges that nobody knows", line)
	}
	g.Rays = &daemon.RaysStatus{Card: true, Answered: 70}
	if !strings.Contains(g.Line(), "  plans on the card") || strings.Contains(g.Line(), "rays of") {
		t.Errorf("%q of a card that casts all rays", g.Line())
	}
	g.Rays = &daemon.RaysStatus{Why: "no card steps the field", Absent: 5}
	if !strings.Contains(g.Line(), "  plans on the processor: no card steps the field") || strings.Contains(g.Line(), "rays of") {
		t.Errorf("%q without a card that steps", g.Line())
	}
	g.Gauges.SetMemory(1.5e9, 8e9)
	g.Gauges.SetMachine(&daemon.Usage{CardClock: daemon.Reading{Value: 625e6, OK: true}, CardHeat: daemon.Reading{Value: 48, OK: true}})
	if want := "(memory 1.50 of 8.00 GB, clock 625 MHz, 48.0 C)"; !strings.HasSuffix(g.Line(), want) || !strings.HasSuffix(g.Short(), want) {
		t.Errorf("%q and %q, want %q", g.Line(), g.Short(), want)
	}
	if g.Gauges.Tight() || g.Gauges.Slowed() {
		t.Errorf("%+v is in need", g.Gauges)
	}
	u := daemon.Usage{
		CardClock: daemon.Reading{Value: 306e6, OK: true}, CardMost: daemon.Reading{Value: 1020e6, OK: true},
		CardLoad: daemon.Reading{Value: 0.99, OK: true},
	}
	if g.Gauges.SetMachine(&u); !g.Gauges.Slowed() {
		t.Errorf("%+v runs as it could", g.Gauges)
	}
	u.CardLoad.Value = 0.2
	if g.Gauges.SetMachine(&u); g.Gauges.Slowed() {
		t.Errorf("%+v is held back, though idle", g.Gauges)
	}
	if g.Gauges.SetMemory(7.7e9, 8e9); !g.Gauges.Tight() {
		t.Errorf("%+v has memory left", g.Gauges)
	}
	if g.Gauges.SetMemory(0, 0); g.Gauges.Memory.OK || g.Gauges.Room.OK {
		t.Errorf("%+v of a driver that told nothing", g.Gauges)
	}
	testDriver(t, u)
	q := daemon.Quality{Why: "best"}
	if line := q.Line("full"); strings.Contains(line, "processor") {
		t.Errorf("%q of shares that nobody knows", line)
	}
	q.Share, q.Card = daemon.Reading{Value: 0.034, OK: true}, daemon.Reading{Value: 0.5, OK: true}
	if want := "daemon 3.4 % of one processor, card's program 50.0 %"; !strings.Contains(q.Line("full"), want) {
		t.Errorf("%q lacks %q", q.Line("full"), want)
	}
}

// testDriver: the driver's word on a card counts before the kernel's, a clock goes with
// its own limit, and a driver that says that it holds the card back is believed.
func testDriver(t *testing.T, u daemon.Usage) {
	t.Helper()
	told := func(v float64) daemon.Reading { return daemon.Reading{Value: v, OK: true} }
	u.CardHeat = told(40)
	for _, c := range []struct {
		driver daemon.Gauges
		line   string
		slowed bool
	}{
		{daemon.Gauges{}, "memory 1.00 of 8.00 GB, clock 306 MHz, load 20 %, 40.0 C", false},
		{daemon.Gauges{Memory: told(7e9), Room: told(8e9)}, "memory 7.00 of 8.00 GB, clock 306 MHz, load 20 %, 40.0 C", false},
		{daemon.Gauges{Memory: told(7e9)}, "memory 1.00 of 8.00 GB, clock 306 MHz, load 20 %, 40.0 C", false},
		{daemon.Gauges{Clock: told(1410e6), Most: told(1980e6), Load: told(1), Heat: told(61)}, "memory 1.00 of 8.00 GB, clock 1410 MHz, load 100 %, 61.0 C", false},
		{daemon.Gauges{Clock: told(600e6), Most: told(1980e6), Load: told(0.95)}, "memory 1.00 of 8.00 GB, clock 600 MHz, load 95 %, 40.0 C", true},
		{daemon.Gauges{Clock: told(300e6), Load: told(0.95)}, "memory 1.00 of 8.00 GB, clock 300 MHz, load 95 %, 40.0 C", false},
		{daemon.Gauges{Load: told(0.95)}, "memory 1.00 of 8.00 GB, clock 306 MHz, load 95 %, 40.0 C", true},
		{daemon.Gauges{Held: "heat"}, "memory 1.00 of 8.00 GB, clock 306 MHz, load 20 %, 40.0 C, held back by heat", true},
	} {
		var g daemon.Gauges
		g.SetMachine(&u)
		g.SetMemory(1e9, 8e9)
		g.SetDriver(&c.driver)
		if g.Line() != c.line || g.Slowed() != c.slowed {
			t.Errorf("%+v: %q, slowed %v, want %q, %v", c.driver, g.Line(), g.Slowed(), c.line, c.slowed)
		}
	}
}
