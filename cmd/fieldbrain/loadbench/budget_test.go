package loadbench

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/verdict"
)

// turnOf returns a turn of n wake-ups, each of ours and of cyclictest's as late, and the
// tape of its ticks.
func turnOf(from time.Duration, n int, ours, late, response time.Duration) (segment, []Wake) {
	var beside []time.Duration
	one := segment{from: from, to: from + time.Duration(n)*period}
	for range n {
		beside = append(beside, late)
		one.tick = append(one.tick, ours+period/10)
		one.response = append(one.response, response)
	}
	one.yard = yard{anywhere: beside}
	return one, wakesFrom(from, n, ours, true)
}

// rowOf returns the row of a load in four turns.
func rowOf(t *testing.T, load string, ours, yard, response time.Duration) LoadRow {
	t.Helper()
	var turns []segment
	var wakes []Wake
	for i := range 4 {
		one, some := turnOf(time.Duration(i+1)*time.Minute, 1000, ours, yard, response)
		turns, wakes = append(turns, one), append(wakes, some...)
	}
	r, err := newLoadRow(load, period, wakes, turns)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLoadRow: the time between the turns of a load belongs to no load, and the claim
// is about the ratio.
func TestLoadRow(t *testing.T) {
	for _, c := range []struct {
		ours time.Duration
		want verdict.Verdict
	}{{60 * micro, verdict.Held}, {200 * micro, verdict.Missed}} {
		r := rowOf(t, CPULoad, c.ours, 50*micro, 4*time.Millisecond)
		if r.Loop.Count != 4000 || r.Skipped != 0 || r.Disarms != 0 || len(r.Claims) != 1 || r.Claims[0].Verdict != c.want {
			t.Errorf("%v: %+v", c.ours, r)
		}
		if r.WakeP99 != us(c.ours) || r.RatioP99 != us(c.ours)/50 || r.ResponseP99 != 4000 || r.TickP99 != us(c.ours)+500 {
			t.Errorf("%v: %+v", c.ours, r.Figures)
		}
	}
	if _, err := newLoadRow(CPULoad, period, nil, nil); err == nil {
		t.Error("a run without a wake-up has a row")
	}
}

// TestBudget: what is kept is read again, holds for the run that made it, and not for
// one that takes more than the slack, of whatever figure.
func TestBudget(t *testing.T) {
	o := Options{Period: period, Priority: 50}
	rows := []LoadRow{rowOf(t, NoLoad, 40*micro, 40*micro, 4*time.Millisecond), rowOf(t, DiskLoad, 80*micro, 60*micro, 5*time.Millisecond)}
	path := filepath.Join(t.TempDir(), "budget.toml")
	if err := NewBudget(o, "v1", rows, time.Unix(0, 0)).Keep(path); err != nil {
		t.Fatal(err)
	}
	b, err := ReadBudget(path)
	if err != nil || b.Here(path, o) != nil || !slices.Equal(b.Names(), []string{NoLoad, DiskLoad}) || b.Load[1].WakeP99 != 80 {
		t.Fatalf("%+v, %v", b, err)
	}
	missed := func(rows []LoadRow) (n int) {
		all, err := b.Compare(rows)
		if err != nil || len(all) != 8 {
			t.Fatalf("%d claims, %v", len(all), err)
		}
		for _, j := range all {
			if j.Verdict != verdict.Held {
				n++
			}
		}
		return n
	}
	if n := missed(rows); n != 0 {
		t.Errorf("%d figures of the very run are over", n)
	}
	if n := missed([]LoadRow{rows[0], rowOf(t, DiskLoad, 130*micro, 60*micro, 5*time.Millisecond)}); n != 2 {
		t.Errorf("a late wake-up: %d figures are over, want it and its ratio", n)
	}
	if n := missed([]LoadRow{rows[0], rowOf(t, DiskLoad, 80*micro, 60*micro, 9*time.Millisecond)}); n != 1 {
		t.Errorf("a late command: %d figures are over", n)
	}
	if _, err := b.Compare(rows[:1]); err == nil || !strings.Contains(err.Error(), DiskLoad) {
		t.Errorf("a run without one of its loads: %v", err)
	}
	b.Machine = "another"
	if err := b.Here(path, o); !errors.Is(err, ErrMachine) || !strings.Contains(err.Error(), "another") || !strings.Contains(err.Error(), Machine()) {
		t.Errorf("on another machine: %v", err)
	}
	b.Machine = Machine()
	if err := b.Here(path, Options{Period: period, Priority: 0}); err == nil {
		t.Error("a run without the priority was taken")
	}
}

// TestBudgetComplains: a budget that is none names its mistakes.
func TestBudgetComplains(t *testing.T) {
	const good = "machine = \"x\"\ndate = \"x\"\nversion = \"x\"\nperiod_us = 5000\npriority = 50\nslack = 1.5\n[[load]]\nname = \"cpu\"\nwake_p99_us = 1\nwake_p99_ratio = 1\ntick_p99_us = 1\nresponse_p99_us = 1\n"
	path := filepath.Join(t.TempDir(), "b.toml")
	for _, c := range []struct{ old, now, want string }{
		{"", "", ""},
		{"slack = 1.5", "slack = 0.5", "slack"},
		{"slack = 1.5", "slack = nan", "slack"},
		{"slack = 1.5", "slak = 1.5", "slak"},
		{"period_us = 5000", "period_us = 0", "period_us"},
		{"tick_p99_us = 1", "tick_p99_us = -1", "figure"},
		{"tick_p99_us = 1\n", "", "figure"},
		{"[[load]]", "[load", "line"},
	} {
		if err := os.WriteFile(path, []byte(strings.Replace(good, c.old, c.now, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadBudget(path)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.now, err, c.want)
		}
	}
	if _, err := ReadBudget("/dev/zero"); err == nil {
		t.Error("a device was read")
	}
}
