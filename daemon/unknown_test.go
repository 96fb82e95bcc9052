package daemon_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fieldbrain/brain/quality"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
)

// members returns the JSON of a status, and that of its quality.
func members(t *testing.T, s daemon.Status) (all, quality map[string]any) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all, all["quality"].(map[string]any)
}

// TestUnknownIsAbsent: what nobody knows is not in a status's JSON, neither as a number nor
// as a word or an instant.
func TestUnknownIsAbsent(t *testing.T) {
	page := func(set func(c *telemetry.Car)) daemon.Status {
		return dying(t, func(w *telemetry.Writer) {
			w.Tick(&telemetry.Tick{}, loop.Counts{Ticks: 1})
			c := telemetry.Nothing()
			set(&c)
			w.Car(&c)
		})
	}
	cold := daemon.Status{}
	cold.Quality.SetThermal(daemon.Thermal{Heat: quality.Cool, Mode: "10W"})
	for name, s := range map[string]daemon.Status{
		"no sensor":           cold,
		"page without sensor": page(func(*telemetry.Car) {}),
		"page of an older program": page(func(c *telemetry.Car) {
			telemetry.SetText(c.Machine.Heat[:], "cool")
		}),
		"page with a sensor that says nothing": page(func(c *telemetry.Car) {
			telemetry.SetText(c.Machine.Sensor[:], "cpu-thermal")
		}),
		"page before its first tick": dying(t, func(*telemetry.Writer) {}),
	} {
		all, quality := members(t, s)
		for _, key := range []string{"heap", "battery_v"} {
			if v, is := all[key]; is {
				t.Errorf("%s: %s is %v", name, key, v)
			}
		}
		for _, key := range []string{"wanted", "since", "why", "heat", "sensor", "temperature_c", "hot_c"} {
			if v, is := quality[key]; is {
				t.Errorf("%s: quality.%s is %v", name, key, v)
			}
		}
		if line := s.Quality.Line("full"); !strings.Contains(line, "temperature unknown") {
			t.Errorf("%s: %q", name, line)
		}
	}
}

// TestKnownIsThere: a temperature is there, that of melting ice too.
func TestKnownIsThere(t *testing.T) {
	living := daemon.Status{Heap: &daemon.HeapStatus{Used: 1}, Battery: 7.5}
	living.Quality.SetThermal(daemon.Thermal{Heat: quality.Warm, Sensor: "cpu-thermal", Temp: 0, Limit: 85})
	dead := dying(t, func(w *telemetry.Writer) {
		w.Tick(&telemetry.Tick{}, loop.Counts{Ticks: 1})
		c := telemetry.Nothing()
		c.Machine.Temperature, c.Machine.Limit = 0, 85
		telemetry.SetText(c.Machine.Heat[:], "warm")
		telemetry.SetText(c.Machine.Sensor[:], "cpu-thermal")
		w.Car(&c)
	})
	for name, s := range map[string]daemon.Status{"living": living, "dead": dead} {
		_, quality := members(t, s)
		if quality["temperature_c"] != 0.0 || quality["hot_c"] != 85.0 || quality["heat"] != "warm" || quality["sensor"] != "cpu-thermal" {
			t.Errorf("%s: %v", name, quality)
		}
		if line := s.Quality.Line("full"); !strings.Contains(line, "cpu-thermal 0.0 of 85.0 C") {
			t.Errorf("%s: %q", name, line)
		}
	}
	if all, _ := members(t, living); all["battery_v"] != 7.5 || all["heap"] == nil {
		t.Errorf("living: %v", all)
	}
}
