package ladder

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/suite"
)

// Score drives the report's scenarios on every rung and enters the share that
// holds all its limits.
func (r *Report) Score(ctx context.Context, settings config.Config, show func(done, total int, text string)) error {
	contest := &suite.Contest{Seeds: r.Seeds, Workers: runtime.NumCPU()}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(r.Drives))) {
		sc, err := family.Open(name)
		if err != nil {
			return err
		}
		contest.Scenarios = append(contest.Scenarios, sc)
	}
	for _, rung := range brain.Ladder() {
		settings.Engine.Quality = rung.Name
		d := drive.Contestant(settings, "brain", testbench.Options{Period: time.Duration(settings.Loop.Period)})
		d.Name = rung.Name
		contest.Drivers = append(contest.Drivers, d)
	}
	contest.Progress = func(done, total int) { show(done, total, fmt.Sprintf("%d of %d drives", done, total)) }
	report, err := contest.Run(ctx)
	if err != nil {
		return err
	}
	rows := r.Rungs
	for i := range rows {
		held := 0
		for _, row := range report.Rows {
			if slices.ContainsFunc(row.Lines, func(l suite.Line) bool { return !l.Cells[i].Pass }) {
				rows[i].Failed = append(rows[i].Failed, row.Scenario)
				continue
			}
			held++
		}
		share := float64(held) / float64(len(report.Rows))
		rows[i].Score = &share
	}
	return nil
}
