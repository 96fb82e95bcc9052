package main

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/daemon"
	"fieldbrain/testbench"
	"fieldbrain/testbench/suite"
)

// TestScenarios drives every scenario with the brain and judges it: two seeds
// each, or with FIELDBRAIN_FULL=1 all the scenario asks for. With a fault no
// collision at all is allowed, so none is caused by it.
func TestScenarios(t *testing.T) {
	seeds, names := 2, suiteNames()
	if fullSuite() {
		seeds = 0
	}
	if testing.Short() {
		seeds, names = 1, []string{"cliff", "deadend", "storm"}
		t.Logf("-short: only %v", names)
	}
	t.Logf("%d seeds per scenario (0 means the scenario's own; FIELDBRAIN_FULL=1 asks for them)", seeds)
	plan := suite.Plan{
		Seeds: seeds, Workers: runtime.NumCPU(),
		Drivers: []suite.Driver{contestant(daemon.DefaultConfig(), "brain", testbench.Options{})},
	}
	for _, name := range names {
		plan.Scenarios = append(plan.Scenarios, loadScenario(t, name))
	}
	report, err := plan.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Rows {
		row := &report.Rows[i]
		for j := range row.Lines {
			l := &row.Lines[j]
			if c := &l.Cells[0]; !c.Pass {
				t.Errorf("%s (%s): %s is %s, want %s", row.Scenario, row.Title, l.Metric, l.Figure(c, row.Seeds), l.Threshold())
			}
		}
	}
	var text strings.Builder
	if err := report.Print(&text); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())
}
