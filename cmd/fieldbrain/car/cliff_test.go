package car_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon/config"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
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
		c, err := config.Parse("f.toml", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Brain.CliffOn(); got != tt.real {
			t.Errorf("%q: on the real car %v, want %v", tt.text, got, tt.real)
		}
		for name, want := range map[string]bool{"room": tt.inRoom, "cliff": tt.atEdge} {
			task := car.Task(c, cartest.Scenario(t, name))
			if got := task.Cliff; got != want {
				t.Errorf("%q: in the scenario %s %v, want %v", tt.text, name, got, want)
			}
		}
	}
}

// TestRealCarStopsAtEdges: the brain as the real car gets it, with the default
// configuration and the calibration of a new car, sees the edge of a table; told
// not to look it does not.
func TestRealCarStopsAtEdges(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	for word, want := range map[string]bool{"auto": true, "off": false} {
		settings := config.Default()
		settings.Brain.Cliff = word
		rig, err := testbench.NewRig(cartest.Scenario(t, "cliff"), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		driver, against := car.DriverParams(settings.Body)
		if len(against) > 0 {
			t.Fatal(against)
		}
		s := rig.Vehicle(testbench.DefaultPeriod)
		m, err := car.NewMind(settings, car.Seat{Body: s.Body, Clock: s.Clock, Seed: 1, Driver: driver, Task: car.Task(settings, nil)})
		if err != nil {
			t.Fatal(err)
		}
		r := cartest.RideOf(m, rig)
		seen := false
		r.After = func(_ time.Duration, tr *brain.Trace) { seen = seen || tr.Causes.Has(safety.Cliff) }
		rig.AdvanceTo(20 * time.Second) // one beam first turns round to hear the walls
		if !r.Armed || seen != want {
			t.Errorf("cliff = %q: armed %v, edge seen %v, want %v", word, r.Armed, seen, want)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
