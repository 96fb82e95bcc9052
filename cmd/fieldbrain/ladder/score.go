package ladder

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/suite"
)

// Score drives the report's scenarios on every rung and from every start, and enters the share that
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
	var rows []*Row
	compete := func(row *Row, settings config.Config) {
		d := drive.Contestant(settings, "brain", testbench.Options{Period: time.Duration(settings.Loop.Period)})
		d.Name, rows = row.Name, append(rows, row)
		contest.Drivers = append(contest.Drivers, d)
	}
	variants, chosen := contenders(settings)
	for i := range r.Rungs {
		compete(&r.Rungs[i], variants[i])
	}
	for i := range r.Starts[min(1, len(r.Starts)):] {
		compete(&r.Starts[i+1], chosen[i].over(settings))
	}
	contest.Progress = func(done, total int) { show(done, total, fmt.Sprintf("%d of %d drives", done, total)) }
	report, err := contest.Run(ctx)
	if err != nil {
		return err
	}
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
	if len(r.Starts) > 0 {
		r.Starts[0].Score, r.Starts[0].Failed = r.Rungs[0].Score, r.Rungs[0].Failed
	}
	return nil
}
