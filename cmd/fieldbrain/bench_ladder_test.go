package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// recorded drives towards the beacon for a few seconds.
func recorded(t *testing.T) (daemon.Config, *drive) {
	t.Helper()
	config := daemon.DefaultConfig()
	tape, err := record(config, "goal", 1, 4*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return config, tape
}

func quietly(int, int, string) {}

// TestLadderLosesMoreWithEveryRung: what the rungs lose is the same on every
// machine; what they save is not, and is not asserted.
func TestLadderLosesMoreWithEveryRung(t *testing.T) {
	config, tape := recorded(t)
	r, err := compareRungs(config, tape, quietly)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rungs) != brain.NumRungs || r.Ticks < 700 {
		t.Fatalf("%d rungs, %d ticks", len(r.Rungs), r.Ticks)
	}
	if full := r.Rungs[0]; full.Field != 0 || full.Deviation != 0 || full.Gaze != 0 || full.Peak != 1 || full.SpeedUp != 1 {
		t.Errorf("full quality differs from itself: %+v", full)
	}
	for i, row := range r.Rungs {
		if row.Busy <= 0 || row.Worst <= 0 || row.SpeedUp <= 0 {
			t.Errorf("%s was not timed: %+v", row.Name, row)
		}
		if i > 0 && row.Field <= r.Rungs[i-1].Field {
			t.Errorf("%s loses %v of the field, the rung above it %v", row.Name, row.Field, r.Rungs[i-1].Field)
		}
		if row.Deviation > 1 || row.Peak < allowedPeak {
			t.Errorf("%s loses more than B.11 allows: %+v", row.Name, row)
		}
	}
}

// TestReplayIsTheDrive: a brain that sees the recording at full quality commands
// what was commanded; one that does not is no measure of a loss.
func TestReplayIsTheDrive(t *testing.T) {
	config, tape := recorded(t)
	moved := false
	for _, c := range tape.commands {
		moved = moved || c.Enable && c.Speed > 0.1
	}
	if !moved || len(tape.states) != len(tape.nows) || len(tape.commands) != len(tape.nows) {
		t.Fatalf("%d states, %d instants, %d commands, moved %v", len(tape.states), len(tape.nows), len(tape.commands), moved)
	}
	tape.commands[len(tape.commands)/2].Steering += 0.001
	if _, err := compareRungs(config, tape, quietly); err == nil || !strings.Contains(err.Error(), "no replay") {
		t.Errorf("a recording that was changed gave %v", err)
	}
}

// TestContenderMeasures a known difference.
func TestContenderMeasures(t *testing.T) {
	c := &contender{}
	base := outcome{command: robot.Command{Steering: 0.1, Speed: 0.2, Pan: 0}, peak: 31}
	c.compare(outcome{command: robot.Command{Steering: 0.4, Speed: -0.2, Pan: 0.5}, peak: 0}, base)
	c.compare(outcome{command: base.command, peak: 1}, base)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6 }
	if !near(c.steer, 0.09) || !near(c.speed, 0.16) || !near(c.pan, 0.25) || c.peaks != 1 || c.judged != 2 {
		t.Errorf("%+v", c)
	}
}

func TestLadderVerdict(t *testing.T) {
	row := func(name string, speedup, deviation float64, failed ...string) rungRow {
		return rungRow{Name: name, SpeedUp: speedup, Deviation: deviation, Peak: 1, Failed: failed}
	}
	for _, c := range []struct {
		name     string
		rows     []rungRow
		monotone bool
		want     []string
	}{
		{"pays", []rungRow{row("full", 1, 0), row("a", 1.2, 0.1), row("b", 1.5, 0.9)}, true, []string{"monotone: every", "none loses more"}},
		{"one does not", []rungRow{row("full", 1, 0), row("a", 1.2, 0.1), row("b", 1.2, 0.9)}, false, []string{"not monotone", ": b", "none loses more"}},
		{"slower", []rungRow{row("full", 1, 0), row("a", 0.9, 0)}, false, []string{"not monotone", ": a"}},
		{"strays", []rungRow{row("full", 1, 0), row("a", 2, 1.5)}, true, []string{"lose more than B.11 allows: a"}},
		{"fails", []rungRow{row("full", 1, 0), row("a", 2, 0, "room")}, true, []string{"lose more than B.11 allows: a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &ladderReport{Rungs: c.rows, Control: 1.01}
			r.judge()
			if r.Monotone != c.monotone || r.Void {
				t.Errorf("monotone %v, void %v", r.Monotone, r.Void)
			}
			r.Control = 0.94
			if r.judge(); !r.Void || !strings.HasPrefix(r.Verdict, "VOID: full quality against itself gave 0.940; ") {
				t.Errorf("on a busy machine: %q", r.Verdict)
			}
			for _, words := range c.want {
				if !strings.Contains(r.Verdict, words) {
					t.Errorf("%q does not say %q", r.Verdict, words)
				}
			}
		})
	}
}
