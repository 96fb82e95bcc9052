package drive

import (
	"slices"
	"strings"

	"fieldbrain/daemon/config"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
	"fieldbrain/testbench/trials"
)

// SuiteNames lists the scenarios that the suite can judge one by one. bench behave
// drives those of B13 and B14, which compare and repeat runs; help, README and the suite's
// own page say so.
func SuiteNames() []string {
	return slices.DeleteFunc(scenarios.Names(), func(name string) bool { return name == "explore" || name == "tmaze" })
}

// ablated begins the name of a pilot that is the brain without a part of its field.
const ablated = "brain/"

// Ablated returns the name of the pilot that is the brain without a part of its
// field, for Contestant and in results: brain/argmax.
func Ablated(k ablation.Kind) string { return ablated + string(k) }

// Contestant makes a driver of the suite that builds a mind of its own for every
// run. The pilot is brain, one that Ablated names, or a baseline.
func Contestant(settings config.Config, pilot string, o testbench.Options) suite.Driver {
	return suite.Driver{Name: pilot, Run: func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error) {
		d := New(settings)
		d.crowded = true
		if kind, is := strings.CutPrefix(pilot, ablated); is {
			var err error
			if d.Field, err = ablation.Parse(kind); err != nil {
				return nil, err
			}
		}
		return d.Virtual(sc, seed, pilot, o)
	}}
}

// Pilots lists who can drive, the brain first; noise, which looks at nothing, is
// not among them.
func Pilots() []string { return append([]string{"brain", "reactive", "vendor"}, pilots.Names()...) }

// Known reports whether a name is one that Contestant takes.
func Known(pilot string) bool {
	if kind, is := strings.CutPrefix(pilot, ablated); is {
		_, err := ablation.Parse(kind)
		return err == nil
	}
	return pilot == "noise" || slices.Contains(Pilots(), pilot)
}

// Trial makes a pilot for package trials that builds a mind of its own for every
// drive.
func Trial(settings config.Config, pilot string, o testbench.Options) trials.Pilot {
	if rival, is := trials.Rival(pilot, o); is {
		return rival // with nothing of the settings, nor of this package
	}
	return trials.Pilot{Name: pilot, Drive: func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error) {
		o := o
		o.Map = m
		return Contestant(settings, pilot, o).Run(sc, seed)
	}}
}
