package main

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// TestCliffChoice: without a word in the configuration the real car looks for
// edges and the simulated one does as its scenario asks; a word holds for both.
func TestCliffChoice(t *testing.T) {
	for _, tt := range []struct {
		text                 string
		real, inRoom, atEdge bool
	}{
		{"", true, false, true},
		{"[brain]\ncliff = \"auto\"\n", true, false, true},
		{"[brain]\ncliff = \"on\"\n", true, true, true},
		{"[brain]\ncliff = \"off\"\n", false, false, false},
	} {
		c, err := daemon.ParseConfig("f.toml", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Brain.CliffOn(); got != tt.real {
			t.Errorf("%q: on the real car %v, want %v", tt.text, got, tt.real)
		}
		for name, want := range map[string]bool{"room": tt.inRoom, "cliff": tt.atEdge} {
			task := taskOf(c, loadScenario(t, name))
			if got := task.CliffOn(); got != want {
				t.Errorf("%q: in the scenario %s %v, want %v", tt.text, name, got, want)
			}
		}
	}
}

// TestRealCarStopsAtEdges: the brain as the real car gets it, with the default
// configuration and the calibration of a new car, sees the edge of a table; told
// not to look it does not.
func TestRealCarStopsAtEdges(t *testing.T) {
	for word, want := range map[string]bool{"auto": true, "off": false} {
		config := daemon.DefaultConfig()
		config.Brain.Cliff = word
		rig, err := testbench.NewRig(loadScenario(t, "cliff"), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		driver, against := driverParams(config.Body)
		if len(against) > 0 {
			t.Fatal(against)
		}
		s := rig.Seat(testbench.DefaultPeriod)
		m, err := newMind(config, seat{body: s.Body, clock: s.Clock, seed: 1, driver: driver, task: config.Brain})
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{rig: rig, mind: m}
		seen := false
		r.after = func(_ time.Duration, tr *brain.Trace) { seen = seen || tr.Causes.Has(safety.Cliff) }
		rig.Drive(testbench.DefaultPeriod, r.tick)
		rig.AdvanceTo(8 * time.Second)
		if !r.armed || seen != want {
			t.Errorf("cliff = %q: armed %v, edge seen %v, want %v", word, r.armed, seen, want)
		}
		if err := m.engine.Close(); err != nil {
			t.Error(err)
		}
	}
}
