package drive

import (
	"slices"

	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

// SuiteNames lists the scenarios that the suite can judge one by one. bench behave
// drives those of B13 and B14, which compare and repeat runs.
func SuiteNames() []string {
	return slices.DeleteFunc(scenarios.Names(), func(name string) bool { return name == "explore" || name == "tmaze" })
}

// Contestant makes a driver of the suite that builds a mind of its own for every
// run.
func Contestant(settings config.Config, pilot string, o testbench.Options) suite.Driver {
	return suite.Driver{Name: pilot, Run: func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error) {
		d := New(settings)
		d.crowded = true
		return d.Virtual(sc, seed, pilot, o)
	}}
}
