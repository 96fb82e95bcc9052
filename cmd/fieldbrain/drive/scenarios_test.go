package drive_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/suite"
	"fieldbrain/testbench/tier"
)

// TestScenarios drives scenarios with the brain and judges it, in the last tier
// all of them with all the seeds the scenario asks for. With a fault no collision at all
// is allowed, so the fault causes none. Limits of a mean want all the seeds.
func TestScenarios(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	names := drive.SuiteNames()
	switch few := []string{"cliff", "deadend", "line", "storm"}; tier.Count(t, "scenarios", len(few), len(names)/2, len(names)) {
	case len(few):
		names = few
	case len(names) / 2:
		names = everySecond(names)
	}
	const own = 10 // what most scenarios ask for themselves
	seeds := tier.Count(t, "seeds per scenario", 1, 1, own)
	if seeds == own {
		seeds = 0
	}
	contest := suite.Contest{
		Seeds: seeds, Workers: runtime.NumCPU(),
		Drivers: []suite.Driver{drive.Contestant(config.Default(), "brain", testbench.Options{})},
	}
	for _, name := range names {
		contest.Scenarios = append(contest.Scenarios, cartest.Scenario(t, name))
	}
	report, err := contest.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Rows {
		row := &report.Rows[i]
		for j := range row.Lines {
			l := &row.Lines[j]
			if seeds > 0 && l.Over == "mean" {
				t.Logf("%sthe mean of %s in %s: %d of its drives are no mean", tier.Mark, l.Metric, row.Scenario, row.Seeds)
				continue
			}
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

// everySecond returns the second, the fourth, and so on.
func everySecond(names []string) []string {
	var some []string
	for i := 1; i < len(names); i += 2 {
		some = append(some, names[i])
	}
	return some
}
