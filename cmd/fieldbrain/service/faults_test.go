package service

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestTally: the log has the beginning of every cause at once, those shorter than a look
// too, its end once, and no second line while a cause comes and goes.
func TestTally(t *testing.T) {
	const low, stale, degraded = safety.BatteryLow, safety.RangeStale, safety.LinkDegraded
	var y tally
	now := safety.Status{Causes: safety.Disarmed}
	begin := func(c safety.Causes) {
		for i := range now.Stats.Trips {
			if c.Has(1 << i) {
				now.Stats.Trips[i]++
			}
		}
	}
	var began, over []safety.Causes
	look := func(times int) {
		for range times {
			if b, o := y.look(&now, true); b != 0 {
				began = append(began, b)
			} else if o != 0 {
				over = append(over, o)
			}
		}
	}
	begin(safety.LinkDown | stale | safety.Disarmed) // it is brought up
	look(3)
	now.Armed, now.Causes = true, 0
	look(1)
	if len(began) != 0 {
		t.Fatalf("while the car is brought up: %v", began)
	}
	begin(degraded) // and ended before the look
	look(1)
	if len(began) != 1 || began[0] != degraded {
		t.Fatalf("one that was shorter than the look: %v", began)
	}
	now.Causes = low
	begin(low)
	look(1)
	now.Causes |= stale // at the same level
	begin(stale)
	look(quietLooks - 2)
	if len(began) != 3 || began[1] != low || began[2] != stale || len(over) != 0 {
		t.Fatalf("one after the other: %v, over %v", began, over)
	}
	now.Causes = low
	look(2)
	if len(over) != 1 || over[0] != degraded {
		t.Fatalf("away for %d looks: over %v", quietLooks, over)
	}
	for range 40 { // it comes and goes, faster than looks show
		begin(stale)
		look(quietLooks - 1)
	}
	if len(began) != 3 || len(over) != 1 || y.times[8] != 41 || stale != 1<<8 {
		t.Errorf("one that comes and goes: %v, over %v, %d times", began, over, y.times[8])
	}
	now.Causes = safety.Disarmed
	look(quietLooks + 1)
	if len(began) != 3 || len(over) != 3 || over[1]|over[2] != low|stale {
		t.Errorf("in the end: %v, over %v", began, over)
	}
}

// A body whose bus needs a retry in some ticks.
type retrying struct {
	robot.Body
	degraded *bool
}

func (r retrying) Sense(s *robot.State) {
	if r.Body.Sense(s); *r.degraded {
		s.Link = robot.LinkDegraded
	}
}

// TestFaultsAreLogged: of a cause that held for one tick between two looks the log has
// one line with its remedy and one when it is over; of a car that is brought up none.
func TestFaultsAreLogged(t *testing.T) {
	d := &disk{}
	log, err := daemon.NewLog(d, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	degraded, n := false, 0
	m, rig := cartest.NewMind(t, config.Default(), "room", 7, func(b robot.Body) robot.Body { return retrying{b, &degraded} })
	ride := cartest.RideOf(m, rig)
	s := &Service{log: log, settings: config.Default(), car: &car.Car{Mind: m}, loop: &loop.Loop{}}
	ride.After = func(time.Duration, *brain.Trace) {
		if n++; n%20 == 0 {
			s.noteFaults()
		}
		degraded = n == 500 || n == 770
	}
	rig.AdvanceTo(15 * time.Second)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	f := safety.Faults()[3]
	var got []string
	for line := range strings.Lines(d.text.String()) {
		if strings.Contains(line, f.Name) {
			got = append(got, line)
		}
		if strings.Contains(line, "battery-unknown") || strings.Contains(line, "link-down") {
			t.Errorf("nothing is wrong with a car that is brought up: %s", line)
		}
	}
	if f.Cause != safety.LinkDegraded || len(got) != 2 || !ride.Armed {
		t.Fatalf("the log has %q", got)
	}
	if !strings.Contains(got[0], f.Remedy) || !strings.Contains(got[0], f.Means) || !strings.Contains(got[1], `"times":2`) {
		t.Errorf("the log has %q", got)
	}
}
