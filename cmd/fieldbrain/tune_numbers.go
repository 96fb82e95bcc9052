package main

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/brain"
	"fieldbrain/daemon/config"
	"fieldbrain/strict"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/tune"
)

// A brainNumber is a key of the configuration that may be tuned.
type brainNumber struct {
	tune.Knob
	oneBeam bool // read only where one beam looks ahead
}

// brainNumbers lists them with their values: the cruise speed, and the driving law's.
func brainNumbers(settings config.Config) []brainNumber {
	low, high := brain.ParameterCruise.Limits(brain.Default().Top)
	all := []brainNumber{{Knob: tune.Knob{
		Name: brain.ParameterCruise.Key(), Start: settings.Brain.Cruise, Low: decimal(low), High: decimal(high),
	}}}
	p := settings.Law.Params()
	for _, n := range p.Numbers() {
		all = append(all, brainNumber{tune.Knob{Name: "law." + n.Name, Start: *n.Value, Low: n.Low, High: n.High}, n.OneBeam})
	}
	return all
}

// decimal returns a limit as people write it: 0.35 and not 0.3499999940395355.
func decimal(v float32) float64 {
	var d float64
	_, _ = fmt.Sscan(fmt.Sprint(v), &d) // what Sprint writes is a number
	return d
}

// numberNames lists the keys, for completion.
func numberNames() (names []string) {
	for _, n := range brainNumbers(config.Default()) {
		names = append(names, n.Name)
	}
	return names
}

// chosenKnobs returns the numbers that --only names, in the configuration's order; all
// that the sensors let the brain read without it.
func chosenKnobs(settings config.Config, profile plant.Profile, only []string) (knobs []tune.Knob, err error) {
	names := numberNames()
	for i, name := range only {
		switch {
		case !slices.Contains(names, name):
			like := ""
			if near := strict.Nearest(name, names); near != "" {
				like = fmt.Sprintf(" (did you mean %s?)", near)
			}
			return nil, fmt.Errorf("--only %s: unknown%s; choose from %s", name, like, strings.Join(names, ", "))
		case slices.Contains(only[:i], name):
			return nil, fmt.Errorf("--only: %s is named twice", name)
		}
	}
	for _, n := range brainNumbers(settings) {
		unread := n.oneBeam && len(profile.Sectors()) > 1
		if unread && slices.Contains(only, n.Name) {
			return nil, fmt.Errorf("--only %s: the brain reads it with one beam only: add --profile P0, or leave it out", n.Name)
		}
		if !unread && (len(only) == 0 || slices.Contains(only, n.Name)) {
			knobs = append(knobs, n.Knob)
		}
	}
	return knobs, nil
}

// turned returns settings with other values of the numbers.
func turned(settings config.Config, knobs []tune.Knob, values []float64) config.Config {
	p := settings.Law.Params()
	for i, k := range knobs {
		if k.Name == brain.ParameterCruise.Key() {
			settings.Brain.Cruise = values[i]
		}
		for _, n := range p.Numbers() {
			if "law."+n.Name == k.Name {
				*n.Value = values[i]
			}
		}
	}
	settings.Law = config.Law(p)
	return settings
}

// knownFamilies refuses a family that does not exist, or stands twice.
func knownFamilies(names []string) error {
	for i, name := range names {
		switch {
		case !slices.Contains(family.Names(), name):
			return fmt.Errorf("--families %s: unknown; choose from %s, without -p0: --profile says which sensors", name, strings.Join(family.Names(), ", "))
		case slices.Contains(names[:i], name):
			return fmt.Errorf("--families: %s is named twice", name)
		}
	}
	return nil
}
