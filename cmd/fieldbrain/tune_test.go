package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tune"
)

// TestNumbers: every number that tune turns is a key of the configuration with its
// value and limits, and turning it changes that key and no other.
func TestNumbers(t *testing.T) {
	for _, profile := range []plant.Profile{plant.P0, plant.P1} {
		all, err := chosenKnobs(config.Default(), profile, nil)
		if err != nil {
			t.Fatal(err)
		}
		if blind := slices.ContainsFunc(all, func(k tune.Knob) bool { return k.Name == "law.blind" }); blind != (profile == plant.P0) {
			t.Errorf("%s: law.blind is turned: %v", profile, blind)
		}
		for i, k := range all {
			if !(k.Low < k.High && k.Start >= k.Low && k.Start <= k.High) {
				t.Errorf("%+v", k)
			}
			values := make([]float64, len(all))
			for j := range all {
				values[j] = all[j].Start
			}
			if got := turned(config.Default(), all, values); !reflect.DeepEqual(got, config.Default()) {
				t.Fatalf("%s: the numbers as they are change the configuration", profile)
			}
			values[i] = k.Low
			text, err := turned(config.Default(), all, values).Encode()
			if err != nil {
				t.Fatal(err)
			}
			got, err := config.Parse("f.toml", text)
			if err != nil {
				t.Fatal(err)
			}
			found, err := chosenKnobs(got, profile, nil)
			if err != nil {
				t.Fatal(err)
			}
			for j := range found {
				if found[j].Start != values[j] {
					t.Errorf("%s at %v: %s is %v, want %v", k.Name, k.Low, found[j].Name, found[j].Start, values[j])
				}
			}
		}
	}
}

// TestAccepted: what an exam accepted is written as a configuration that the daemon
// reads; what it did not accept is not written.
func TestAccepted(t *testing.T) {
	c := tuneCmd{Out: filepath.Join(t.TempDir(), "a.toml"), pageFlags: pageFlags{Date: "2026-01-02"}}
	knobs, err := chosenKnobs(config.Default(), plant.P1, []string{"brain.cruise", "law.gear"})
	if err != nil {
		t.Fatal(err)
	}
	after := turned(config.Default(), knobs, []float64{0.3, 0.77})
	if err := c.write(after, "The tuned numbers are accepted: they are better."); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := config.Parse(c.Out, text)
	if err != nil || got.Brain.Cruise != 0.3 || got.Law.Gear != 0.77 {
		t.Errorf("%+v, %v", got.Law, err)
	}
	if head := "# Made by `fieldbrain tune"; !strings.HasPrefix(string(text), head) {
		t.Errorf("%.200s", text)
	}
}
