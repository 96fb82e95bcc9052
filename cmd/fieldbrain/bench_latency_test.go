package main

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
)

func TestLatencyVerdicts(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name   string
		wake   loop.Row
		counts []int64       // of releases up to a tenth of the period, up to half, and later
		busy   time.Duration // of half the ticks at most
		c      loop.Counts
		band   string
		want   string
	}{
		{"quiet", loop.Row{Max: 18 * us}, []int64{4000, 0, 0}, us, loop.Counts{}, "very good", "punctual"},
		{"quiet, too short", loop.Row{Max: 18 * us}, []int64{2000, 0, 0}, us, loop.Counts{}, "very good", "not decided: measure about 8s longer"},
		{"ordinary", loop.Row{Max: 900 * us}, []int64{3900, 100, 0}, us, loop.Counts{}, "unusable", "acceptable: 99.9 % within half the period"},
		{"nearly punctual", loop.Row{Max: 900 * us}, []int64{4995, 5, 0}, us, loop.Counts{}, "unusable", "whether punctual is not decided, however long"},
		{"nearly late", loop.Row{Max: 900 * us}, []int64{0, 9980, 20}, us, loop.Counts{}, "unusable", "late"},
		{"loaded", loop.Row{Max: 4900 * us}, []int64{3000, 900, 100}, us, loop.Counts{}, "unusable", "late"},
		{"hole", loop.Row{Max: 20000 * us}, []int64{4000, 0, 4}, us, loop.Counts{Overruns: 1, Skipped: 4}, "unusable", "4 periods missed: the machine stood still"},
		{"heavy", loop.Row{Max: 5000 * us}, []int64{0, 0, 18}, 7000 * us, loop.Counts{Overruns: 9, Skipped: 9}, "unusable", "does not fit"},
		{"nothing", loop.Row{}, []int64{0, 0, 0}, 0, loop.Counts{}, "very good", "too short"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := band(c.wake.Max); !strings.Contains(got, c.band) {
				t.Errorf("band %q, want %q", got, c.band)
			}
			table := loop.Table{Rows: make([]loop.Row, loop.NumStreams), Counts: c.c}
			table.Rows[loop.Wake], table.Rows[loop.Busy].P50 = c.wake, c.busy
			claims, err := judge(c.counts)
			if err != nil {
				t.Fatal(err)
			}
			if got := meaning(table, 5000*us, claims); !strings.Contains(got, c.want) {
				t.Errorf("verdict %q, want %q", got, c.want)
			}
		})
	}
}
